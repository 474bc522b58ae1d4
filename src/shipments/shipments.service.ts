import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../database/transaction.js';
import { Exports } from '../files/exports.js';
import type { FileRequest } from '../files/file-request.js';
import { pageRequest } from '../records/paging.js';
import type { Reply } from '../http/reply.js';
import { MOVES } from '../model/move.entity.js';
import { MovesService } from '../moves/moves.service.js';
import { invalidField, Problem } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Page } from '../records/rendered-record.js';
import { withAddressIDs } from './addresses.js';
import { SHIPMENT_FILES, type NewShipmentFields, type ShipmentFields } from './dto/shipment-fields.js';
import { SHIPMENT_RANGES, type ShipmentListQuery } from './dto/shipment-queries.js';
import type { StatusChange } from './dto/status-change.js';
import { FIRST_STATUS, nextStatuses, type ShipmentStatus } from '../model/shipment-status.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';
import { STATUS_TRANSITION } from './status-transition.js';

@Injectable()
export class ShipmentsService {
  constructor(
    private readonly records: Records,
    private readonly moves: MovesService,
    private readonly exports: Exports,
  ) {}

  async list(query: ShipmentListQuery, file: FileRequest | undefined): Promise<Page | Reply> {
    const { status, shipmentType, expand, q: search } = query;
    const page = pageRequest(query, SHIPMENT_RANGES);
    // Null, which matches no shipment, for an unknown code.
    const moveID = query.moveID && ((await this.records.findID(MOVES, query.moveID)) ?? null);
    const request = { ...page, filters: { moveID, status, shipmentType }, search, expand };
    if (file !== undefined) return this.exports.reply(SHIPMENT_FILES, request, file);
    return this.records.page(SHIPMENTS, request);
  }

  /** Creates a shipment, and a move for it unless one is given. */
  async create(transaction: Transaction, { moveID, ...fields }: NewShipmentFields): Promise<PendingWrite> {
    const values = { ...withAddressIDs(fields), status: FIRST_STATUS };
    if (moveID === null) {
      const move = this.moves.create({ id: uuidv7() });
      return this.records.create(SHIPMENTS, { ...values, moveID: move.recordID }).after(move);
    }
    const id = await this.records.findID(MOVES, moveID, transaction);
    if (id === undefined) throw unknownMove();
    return this.records
      .create(SHIPMENTS, { ...values, moveID: id })
      .rejectedWith({ shipments_move_id_fkey: unknownMove });
  }

  update(shipment: Locked<Shipment>, fields: Partial<ShipmentFields>, expand?: readonly string[]): PendingWrite {
    return shipment.update(withAddressIDs(fields, shipment.row), expand);
  }

  updateStatus(shipment: Locked<Shipment>, { status, rejectionReason }: StatusChange): PendingWrite {
    const { status: current } = shipment.row;
    const allowed = nextStatuses(current);
    if (!allowed.includes(status)) {
      const detail = `A shipment that is ${current} cannot become ${status}. ${nextSteps(allowed)}`;
      throw new Problem(STATUS_TRANSITION, detail, { members: { currentStatus: current, allowedStatuses: allowed } });
    }
    return shipment.update({ status, rejectionReason });
  }
}

function nextSteps(allowed: readonly ShipmentStatus[]): string {
  return allowed.length === 0 ? 'That status is final.' : `It can become ${allowed.join(', ')}.`;
}

export function unknownMove(): Problem {
  const message = 'names no existing move; create the move first, or omit moveID to create a new one';
  return invalidField('/moveID', 'UNKNOWN_MOVE', message);
}
