import { Injectable } from '@nestjs/common';
import { Exports } from '../files/exports.js';
import type { FileRequest } from '../files/file-request.js';
import { History } from '../history/history.js';
import { numberedPage, pageRequest, type NumberedPagingQuery } from '../records/paging.js';
import type { Reply } from '../http/reply.js';
import { Problem } from '../problem/problem.js';
import { SERIALIZATION_FAILURE } from '../problem/database-problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { ListRequest } from '../records/list-sql.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import type { MoveFields } from './dto/move-fields.js';
import { MOVE_RANGES, type MoveListQuery, type MoveReadQuery } from './dto/move-queries.js';
import { randomMoveCode } from './move-code.js';
import { MOVE_FILES } from './move-files.js';
import { MOVES, type Move } from './move.entity.js';

@Injectable()
export class MovesService {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
    private readonly exports: Exports,
  ) {}

  list(query: MoveListQuery): Promise<Page> {
    return this.records.page(MOVES, listRequest(query));
  }

  export(query: MoveListQuery, file: FileRequest): Promise<Reply> {
    return this.exports.reply(MOVE_FILES, listRequest(query), file);
  }

  read(name: string, query: MoveReadQuery): Promise<RenderedRecord> {
    return this.records.readAsAsked(MOVES, name, query);
  }

  history(name: string, paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([MOVES], name, numberedPage(paging));
  }

  create(fields: Partial<Move>): PendingWrite {
    return this.records
      .create(MOVES, { ...fields, moveCode: randomMoveCode() })
      .refusedWith({ moves_move_code_key: codeTaken });
  }

  update(move: Locked<Move>, fields: Partial<MoveFields>, expand?: readonly string[]): PendingWrite {
    return move.update({ ...fields }, expand);
  }

  remove(move: Locked<Move>): PendingWrite {
    return move.remove().refusedWith({
      shipments_move_id_fkey: () => new Problem('IN_USE', 'The move still has shipments. Delete them first.'),
    });
  }
}

function listRequest(query: MoveListQuery): ListRequest {
  const { orderID, expand, q } = query;
  return { ...pageRequest(query, MOVE_RANGES), filters: { orderID }, search: q, expand };
}

/** Another move has this random code. The request is retried with another code. */
function codeTaken(): Error {
  return Object.assign(new Error('The move code is taken'), { code: SERIALIZATION_FAILURE });
}
