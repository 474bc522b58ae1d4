import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import { LockedRow, Writes } from '../writes/writes.decorator.js';
import { writesOf } from '../writes/write-rule.js';
import { Fields } from '../writes/fields.pipe.js';
import { fileExamples } from '../files/file-examples.js';
import { RequestedFile, ProducesFiles, type FileRequest } from '../files/file-request.js';
import { History } from '../history/history.js';
import { numberedPage, NumberedPagingQuery } from '../records/paging.js';
import { QueryOf } from '../http/query.guard.js';
import type { Reply } from '../http/reply.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { listOf, recordOf } from '../openapi/response.js';
import { CHANGES } from '../openapi/schemas/history-entry.js';
import type { Deleted } from '../records/deleted-records.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import { MOVE_FILES, MoveFields } from './dto/move-fields.js';
import { MoveListQuery, MoveQuery, MoveReadQuery } from './dto/move-queries.js';
import { Move, MOVES } from '../model/move.entity.js';
import { MovesService } from './moves.service.js';

const WRITES = writesOf({ resource: MOVES, scope: 'moves:write', fields: MoveFields });

@Controller('v1/moves')
@Tag('Moves', 'A move groups shipments. It has an id and a code that is easy to read out.')
@Stability('core')
export class MovesController {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
    private readonly moves: MovesService,
  ) {}

  @Get()
  @NeedsScope('moves:read')
  @ProducesFiles()
  @Operation('listMoves', 'List moves', { response: listOf(Move, fileExamples(MOVE_FILES)) })
  list(
    @QueryOf(MoveListQuery) query: MoveListQuery,
    @RequestedFile() file: FileRequest | undefined,
  ): Promise<Page | Reply> {
    return this.moves.list(query, file);
  }

  @Post()
  @Writes(WRITES.create)
  @Operation('createMove', 'Create a move', { response: recordOf(Move), description: 'All fields are optional.' })
  create(@Fields() fields: MoveFields): PendingWrite {
    return this.moves.create(fields);
  }

  @Get(':moveID')
  @NeedsScope('moves:read')
  @Operation('readMove', 'Read a move or an earlier version of it', { response: recordOf(Move) })
  read(@Param('moveID') name: string, @QueryOf(MoveReadQuery) query: MoveReadQuery): Promise<RenderedRecord> {
    return this.records.readOne(MOVES, name, query);
  }

  @Get(':moveID/history')
  @NeedsScope('moves:read')
  @Operation('listMoveHistory', 'List the changes of a move', { response: CHANGES })
  history(@Param('moveID') name: string, @QueryOf(NumberedPagingQuery) paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([MOVES], name, numberedPage(paging));
  }

  @Patch(':moveID')
  @Writes(WRITES.update)
  @Operation('updateMove', 'Change fields of a move', { response: recordOf(Move) })
  update(
    @LockedRow() move: Locked<Move>,
    @Fields() fields: Partial<MoveFields>,
    @QueryOf(MoveQuery) { expand }: MoveQuery,
  ): PendingWrite {
    return move.update({ ...fields }, expand);
  }

  @Put(':moveID')
  @Writes(WRITES.replace)
  @Operation('replaceMove', 'Replace a move', { response: recordOf(Move) })
  replace(@LockedRow() move: Locked<Move>, @Fields() fields: MoveFields): PendingWrite {
    return move.update({ ...fields });
  }

  @Delete(':moveID')
  @Writes(WRITES.remove)
  @HttpCode(204)
  @Operation('deleteMove', 'Delete a move', {
    description: 'Fails while the move has shipments.',
    problems: ['IN_USE'],
  })
  remove(@LockedRow() move: Locked<Move>): PendingWrite {
    return this.moves.remove(move);
  }

  @Post(':moveID/undelete')
  @Writes(WRITES.undelete)
  @HttpCode(200)
  @Operation('undeleteMove', 'Restore a deleted move', { response: recordOf(Move) })
  undelete(@LockedRow() move: Deleted): PendingWrite {
    return move.restore();
  }
}
