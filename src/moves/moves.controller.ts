import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import { Creates, IfMatch, IfMatchOptional, LockedRow } from '../etag/if-match.guard.js';
import { Fields } from '../fields/fields.decorator.js';
import { NUMBERED_PAGING, type NumberedPagingQuery } from '../http/paging.js';
import { QueryValues, TakesQuery } from '../http/query.guard.js';
import type { Change } from '../records/change.js';
import type { Locked } from '../records/locked.js';
import type { Page, Stored } from '../records/stored.js';
import { MoveFields } from './dto/move-fields.js';
import {
  MOVE_LIST_QUERY,
  MOVE_QUERY,
  MOVE_READ_QUERY,
  type MoveListQuery,
  type MoveQuery,
  type MoveReadQuery,
} from './dto/move-queries.js';
import { MOVES, type Move } from './move.entity.js';
import { MovesService } from './moves.service.js';

@Controller('v1/moves')
export class MovesController {
  constructor(private readonly moves: MovesService) {}

  @Get()
  @NeedsScope('moves:read')
  @TakesQuery(MOVE_LIST_QUERY)
  list(@QueryValues() query: MoveListQuery): Promise<Page> {
    return this.moves.list(query);
  }

  @Post()
  @NeedsScope('moves:write')
  @Creates()
  create(@Fields(MoveFields) fields: MoveFields): Change {
    return this.moves.create(fields);
  }

  @Get(':moveID')
  @NeedsScope('moves:read')
  @TakesQuery(MOVE_READ_QUERY)
  read(@Param('moveID') name: string, @QueryValues() query: MoveReadQuery): Promise<Stored> {
    return this.moves.read(name, query);
  }

  @Get(':moveID/history')
  @NeedsScope('moves:read')
  @TakesQuery(NUMBERED_PAGING)
  history(@Param('moveID') name: string, @QueryValues() paging: NumberedPagingQuery): Promise<Page> {
    return this.moves.history(name, paging);
  }

  @Patch(':moveID')
  @NeedsScope('moves:write')
  @TakesQuery(MOVE_QUERY)
  @IfMatch(MOVES)
  update(
    @LockedRow() move: Locked<Move>,
    @Fields(MoveFields) fields: Partial<MoveFields>,
    @QueryValues() { expand }: MoveQuery,
  ): Change {
    return this.moves.update(move, fields, expand);
  }

  @Put(':moveID')
  @NeedsScope('moves:write')
  @IfMatch(MOVES)
  replace(@LockedRow() move: Locked<Move>, @Fields(MoveFields) fields: MoveFields): Change {
    return this.moves.update(move, fields);
  }

  @Delete(':moveID')
  @NeedsScope('moves:write')
  @HttpCode(204)
  @IfMatchOptional(MOVES)
  remove(@LockedRow() move: Locked<Move>): Change {
    return this.moves.remove(move);
  }
}
