import { Controller, Patch, Post } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { InTransaction, LockedRow, Writes } from '../writes/writes.decorator.js';
import { Fields } from '../writes/fields.pipe.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { recordOf } from '../openapi/response.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Locked } from '../records/records.js';
import type { NewShipmentFields } from './dto/shipment-fields.js';
import type { StatusChange } from './dto/status-change.js';
import { STATUS_STEPS } from '../model/shipment-status.js';
import { Shipment } from '../model/shipment.entity.js';
import { SHIPMENT_WRITES } from './shipment.writes.js';
import { CREATE_SHIPMENT_TEXT } from './shipments.controller.js';
import { ShipmentsService } from './shipments.service.js';
import { STATUS_TRANSITION } from './status-transition.js';

const STATUS_TABLE = [
  '| from | to |',
  '|---|---|',
  ...Object.entries(STATUS_STEPS).map(([from, to]) => `| ${from} | ${to.join(', ') || 'none'} |`),
].join('\n');

const UPDATE_STATUS_TEXT = `Changes only the status. The allowed transitions are:

${STATUS_TABLE}

REJECTED requires a \`rejectionReason\`; no other status allows one.`;

const ABOUT_PREFIX =
  'The specification of this API puts an additional segment at the beginning of this path; the setting `API_PREFIX` names it.';

/** The specification's two paths with a prefix; the module is mounted under API_PREFIX. */
@Controller('v1/shipments')
@Tag('Shipments')
@Stability('core')
export class PrefixedShipmentsController {
  constructor(private readonly shipments: ShipmentsService) {}

  @Post()
  @Writes(SHIPMENT_WRITES.create)
  @Operation('createPrefixedShipment', 'Create a shipment (prefixed path)', {
    response: recordOf(Shipment),
    description: `The same as createShipment. ${ABOUT_PREFIX} ${CREATE_SHIPMENT_TEXT}`,
  })
  create(@InTransaction() transaction: Transaction, @Fields() fields: NewShipmentFields): Promise<PendingWrite> {
    return this.shipments.create(transaction, fields);
  }

  @Patch(':shipmentID/updateStatus')
  @Writes(SHIPMENT_WRITES.updateStatus)
  @Operation('updateShipmentStatus', 'Change the status of a shipment', {
    response: recordOf(Shipment),
    description: `${UPDATE_STATUS_TEXT}\n\n${ABOUT_PREFIX}`,
    problems: [STATUS_TRANSITION],
    examples: {
      approve: { summary: 'Approve', value: { status: 'APPROVED' } },
      reject: { summary: 'Reject', value: { status: 'REJECTED', rejectionReason: 'The weight is missing.' } },
    },
  })
  updateStatus(@LockedRow() shipment: Locked<Shipment>, @Fields() change: StatusChange): PendingWrite {
    return this.shipments.updateStatus(shipment, change);
  }
}
