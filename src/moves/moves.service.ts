import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Exports } from '../files/exports.js';
import type { FileRequest } from '../files/file-request.js';
import { pageRequest } from '../records/paging.js';
import type { Reply } from '../http/reply.js';
import { Problem } from '../problem/problem.js';
import { retryableError } from '../problem/database-problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Page } from '../records/rendered-record.js';
import { MOVE_FILES } from './dto/move-fields.js';
import { MOVE_RANGES, type MoveListQuery } from './dto/move-queries.js';
import { MOVES, type Move } from '../model/move.entity.js';

@Injectable()
export class MovesService {
  constructor(
    private readonly records: Records,
    private readonly exports: Exports,
  ) {}

  list(query: MoveListQuery, file: FileRequest | undefined): Promise<Page | Reply> {
    const { orderID, expand, q: search } = query;
    const request = { ...pageRequest(query, MOVE_RANGES), filters: { orderID }, search, expand };
    return file === undefined ? this.records.page(MOVES, request) : this.exports.reply(MOVE_FILES, request, file);
  }

  create(fields: Partial<Move>): PendingWrite {
    return this.records
      .create(MOVES, { ...fields, moveCode: randomMoveCode() })
      .rejectedWith({ moves_move_code_key: () => retryableError('Another move has this random code') });
  }

  remove(move: Locked<Move>): PendingWrite {
    return move.remove().rejectedWith({
      shipments_move_id_fkey: () => new Problem('IN_USE', 'The move still has shipments. Delete them first.'),
    });
  }
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** One of about a billion codes. The database ensures that it is unique. */
function randomMoveCode(): string {
  return Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
