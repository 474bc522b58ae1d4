import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import type { Transaction } from '../database/transaction.js';
import { InTransaction, LockedRow, Writes } from '../writes/writes.decorator.js';
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
import { SHIPMENT_FILES, type NewShipmentFields, type ShipmentFields } from './dto/shipment-fields.js';
import { ShipmentListQuery, ShipmentQuery, ShipmentReadQuery } from './dto/shipment-queries.js';
import { CHILDREN_OF_SHIPMENTS } from '../model/relations.js';
import { Shipment, SHIPMENTS } from '../model/shipment.entity.js';
import { SHIPMENT_WRITES } from './shipment.writes.js';
import { ShipmentsService } from './shipments.service.js';

export const CREATE_SHIPMENT_TEXT =
  'Only `shipmentType` is required. Without a `moveID`, the service creates a move for the shipment in the same transaction. A new shipment is `SUBMITTED`.';

@Controller('v1/shipments')
@Tag('Shipments', 'Shipments with their type, dates, weights, addresses and status.')
@Stability('core')
export class ShipmentsController {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
    private readonly shipments: ShipmentsService,
  ) {}

  @Get()
  @NeedsScope('shipments:read')
  @ProducesFiles()
  @Operation('listShipments', 'List shipments', { response: listOf(Shipment, fileExamples(SHIPMENT_FILES)) })
  list(
    @QueryOf(ShipmentListQuery) query: ShipmentListQuery,
    @RequestedFile() file: FileRequest | undefined,
  ): Promise<Page | Reply> {
    return this.shipments.list(query, file);
  }

  @Post()
  @Writes(SHIPMENT_WRITES.create)
  @Operation('createShipment', 'Create a shipment', { response: recordOf(Shipment), description: CREATE_SHIPMENT_TEXT })
  create(@InTransaction() transaction: Transaction, @Fields() fields: NewShipmentFields): Promise<PendingWrite> {
    return this.shipments.create(transaction, fields);
  }

  @Get(':shipmentID')
  @NeedsScope('shipments:read')
  @Operation('readShipment', 'Read a shipment or an earlier version of it', { response: recordOf(Shipment) })
  read(@Param('shipmentID') id: string, @QueryOf(ShipmentReadQuery) query: ShipmentReadQuery): Promise<RenderedRecord> {
    return this.records.readOne(SHIPMENTS, id, query);
  }

  @Get(':shipmentID/history')
  @NeedsScope('shipments:read')
  @Operation('listShipmentHistory', 'List the changes of a shipment and its children', { response: CHANGES })
  history(@Param('shipmentID') id: string, @QueryOf(NumberedPagingQuery) paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([SHIPMENTS, ...CHILDREN_OF_SHIPMENTS], id, numberedPage(paging));
  }

  @Patch(':shipmentID')
  @Writes(SHIPMENT_WRITES.update)
  @Operation('updateShipment', 'Change fields of a shipment', {
    response: recordOf(Shipment),
    description: 'Addresses are merged.',
  })
  update(
    @LockedRow() shipment: Locked<Shipment>,
    @Fields() fields: Partial<ShipmentFields>,
    @QueryOf(ShipmentQuery) { expand }: ShipmentQuery,
  ): PendingWrite {
    return this.shipments.update(shipment, fields, expand);
  }

  @Put(':shipmentID')
  @Writes(SHIPMENT_WRITES.replace)
  @Operation('replaceShipment', 'Replace a shipment', { response: recordOf(Shipment) })
  replace(@LockedRow() shipment: Locked<Shipment>, @Fields() fields: ShipmentFields): PendingWrite {
    return this.shipments.update(shipment, fields);
  }

  @Delete(':shipmentID')
  @Writes(SHIPMENT_WRITES.remove)
  @HttpCode(204)
  @Operation('deleteShipment', 'Delete a shipment', { description: 'Also deletes everything that belongs to it.' })
  remove(@LockedRow() shipment: Locked<Shipment>): PendingWrite {
    return shipment.remove();
  }

  @Post(':shipmentID/undelete')
  @Writes(SHIPMENT_WRITES.undelete)
  @HttpCode(200)
  @Operation('undeleteShipment', 'Restore a deleted shipment', {
    response: recordOf(Shipment),
    description: 'Also restores what was deleted along with it.',
    problems: ['PARENT_DELETED'],
  })
  undelete(@LockedRow() shipment: Deleted): PendingWrite {
    return shipment.restore();
  }
}
