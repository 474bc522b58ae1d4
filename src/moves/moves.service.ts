import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { History } from '../history/history.js';
import { pageRequest, type NumberedPagingQuery } from '../http/paging.js';
import { Problem } from '../problem/problem.js';
import { SERIALIZATION_FAILURE, violatedConstraint } from '../problem/database-problem.js';
import { filters } from '../records/filter.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import type { Page, Stored } from '../records/stored.js';
import type { MoveFields } from './dto/move-fields.js';
import type { MoveListQuery, MoveReadQuery } from './dto/move-queries.js';
import { randomMoveCode } from './move-code.js';
import { MOVES, type Move } from './move.entity.js';

@Injectable()
export class MovesService {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
  ) {}

  list({ orderID, updatedSince, expand, ...paging }: MoveListQuery): Promise<Page> {
    return this.records.page(MOVES, {
      ...pageRequest(paging),
      expand,
      filters: filters(['orderID', '=', orderID], ['updatedAt', '>=', updatedSince]),
    });
  }

  read(name: string, query: MoveReadQuery): Promise<Stored> {
    return this.records.readAsAsked(MOVES, name, query);
  }

  history(name: string, paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([MOVES], name, pageRequest(paging));
  }

  async create(transaction: Transaction, fields: MoveFields): Promise<Stored> {
    const values = { ...fields, moveCode: randomMoveCode() };
    const move = await this.records.createUnless('moveCode', transaction, MOVES, values);
    return move ?? codeTaken();
  }

  /** Opens a move for a shipment that has none. It is not waited for: what needs it may be sent along with it. */
  async open(transaction: Transaction, id: string): Promise<void> {
    const values = { id, moveCode: randomMoveCode() };
    if (!(await this.records.createUnseenUnless('moveCode', transaction, MOVES, values))) codeTaken();
  }

  change(move: Locked<Move>, fields: Partial<MoveFields>, expand?: readonly string[]): Promise<Stored> {
    return move.update({ ...fields }, expand);
  }

  async remove(move: Locked<Move>): Promise<void> {
    try {
      await move.remove();
    } catch (error) {
      if (violatedConstraint(error) !== 'shipments_move_id_fkey') throw error;
      throw new Problem('IN_USE', 'The move still has shipments. Delete them first.');
    }
  }
}

/** The code that was drawn is that of another move: done again from its start, the transaction draws another. */
function codeTaken(): never {
  throw Object.assign(new Error('The move code is taken'), { code: SERIALIZATION_FAILURE });
}
