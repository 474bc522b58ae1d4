import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../../auth/access.js';
import type { Transaction } from '../../database/transaction.js';
import { InTransaction, LockedRow, Writes } from '../../writes/writes.decorator.js';
import { writesOf } from '../../writes/write-rule.js';
import { Fields } from '../../writes/fields.pipe.js';
import { PagingQuery } from '../../records/paging.js';
import { QueryOf } from '../../http/query.guard.js';
import { Operation, Stability, Tag } from '../../openapi/operation.js';
import { listOf, recordOf } from '../../openapi/response.js';
import type { Deleted } from '../../records/deleted-records.js';
import type { PendingWrite } from '../../records/pending-write.js';
import type { Locked } from '../../records/records.js';
import type { Page, RenderedRecord } from '../../records/rendered-record.js';
import { ShipmentChildrenService } from '../shipment-children.service.js';
import { SHIPMENTS } from '../../model/shipment.entity.js';
import { ServiceFields } from './dto/service-fields.js';
import { Service, SERVICES } from '../../model/service.entity.js';

const WRITES = writesOf({ resource: SERVICES, parent: SHIPMENTS, scope: 'shipments:write', fields: ServiceFields });

@Controller('v1')
@Tag('Services', 'Services for a shipment.')
@Stability('core')
export class ServicesController {
  constructor(private readonly children: ShipmentChildrenService) {}

  @Get('shipments/:shipmentID/services')
  @NeedsScope('shipments:read')
  @Operation('listServices', 'List the services of a shipment', { response: listOf(Service) })
  list(@Param('shipmentID') shipmentID: string, @QueryOf(PagingQuery) paging: PagingQuery): Promise<Page> {
    return this.children.list(SERVICES, shipmentID, paging);
  }

  @Post('shipments/:shipmentID/services')
  @Writes(WRITES.create)
  @Operation('createService', 'Add a service to a shipment', {
    response: recordOf(Service),
    description: 'A shipment can have any number of services.',
  })
  create(
    @InTransaction() transaction: Transaction,
    @Param('shipmentID') shipmentID: string,
    @Fields() fields: ServiceFields,
  ): Promise<PendingWrite> {
    return this.children.create(transaction, SERVICES, shipmentID, fields);
  }

  @Get('services/:serviceID')
  @NeedsScope('shipments:read')
  @Operation('readService', 'Read a service', {
    response: recordOf(Service),
    description: 'Services have their own versions.',
  })
  read(@Param('serviceID') id: string): Promise<RenderedRecord> {
    return this.children.read(SERVICES, id);
  }

  @Patch('services/:serviceID')
  @Writes(WRITES.update)
  @Operation('updateService', 'Change fields of a service', { response: recordOf(Service) })
  update(@LockedRow() service: Locked<Service>, @Fields() fields: Partial<ServiceFields>): PendingWrite {
    return service.update({ ...fields });
  }

  @Put('services/:serviceID')
  @Writes(WRITES.replace)
  @Operation('replaceService', 'Replace a service', { response: recordOf(Service) })
  replace(@LockedRow() service: Locked<Service>, @Fields() fields: ServiceFields): PendingWrite {
    return service.update({ ...fields });
  }

  @Delete('services/:serviceID')
  @Writes(WRITES.remove)
  @HttpCode(204)
  @Operation('deleteService', 'Delete a service')
  remove(@LockedRow() service: Locked<Service>): PendingWrite {
    return service.remove();
  }

  @Post('services/:serviceID/undelete')
  @Writes(WRITES.undelete)
  @HttpCode(200)
  @Operation('undeleteService', 'Restore a deleted service', {
    response: recordOf(Service),
    problems: ['PARENT_DELETED'],
  })
  undelete(@LockedRow() service: Deleted): PendingWrite {
    return service.restore();
  }
}
