import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { NeedsScope } from '../../auth/access.js';
import { Creates, IfMatch, IfMatchOptional, LockedRow } from '../../etag/if-match.guard.js';
import { Fields } from '../../fields/fields.decorator.js';
import { PAGING, type PagingQuery } from '../../http/paging.js';
import { QueryValues, TakesQuery } from '../../http/query.guard.js';
import type { Change } from '../../records/change.js';
import type { Locked } from '../../records/locked.js';
import type { Page, Stored } from '../../records/stored.js';
import { SHIPMENTS } from '../shipment.entity.js';
import { ServiceFields } from './dto/service-fields.js';
import { SERVICES, type Service } from './service.entity.js';
import { ServicesService } from './services.service.js';

@Controller('v1')
export class ServicesController {
  constructor(private readonly services: ServicesService) {}

  @Get('shipments/:shipmentID/services')
  @NeedsScope('shipments:read')
  @TakesQuery(PAGING)
  list(@Param('shipmentID') shipmentID: string, @QueryValues() paging: PagingQuery): Promise<Page> {
    return this.services.list(shipmentID, paging);
  }

  @Post('shipments/:shipmentID/services')
  @NeedsScope('shipments:write')
  @Creates(SHIPMENTS)
  create(@Param('shipmentID') shipmentID: string, @Fields(ServiceFields) fields: ServiceFields): Change {
    return this.services.create(shipmentID, fields);
  }

  @Get('services/:serviceID')
  @NeedsScope('shipments:read')
  read(@Param('serviceID') id: string): Promise<Stored> {
    return this.services.read(id);
  }

  @Patch('services/:serviceID')
  @NeedsScope('shipments:write')
  @IfMatch(SERVICES)
  update(@LockedRow() service: Locked<Service>, @Fields(ServiceFields) fields: Partial<ServiceFields>): Change {
    return this.services.update(service, fields);
  }

  @Put('services/:serviceID')
  @NeedsScope('shipments:write')
  @IfMatch(SERVICES)
  replace(@LockedRow() service: Locked<Service>, @Fields(ServiceFields) fields: ServiceFields): Change {
    return this.services.update(service, fields);
  }

  @Delete('services/:serviceID')
  @NeedsScope('shipments:write')
  @HttpCode(204)
  @IfMatchOptional(SERVICES)
  remove(@LockedRow() service: Locked<Service>): Change {
    return this.services.remove(service);
  }
}
