import { Injectable } from '@nestjs/common';
import type { PagingQuery } from '../../http/paging.js';
import type { Change } from '../../records/change.js';
import type { Locked } from '../../records/locked.js';
import type { Page, Stored } from '../../records/stored.js';
import { ShipmentChildrenService } from '../shipment-children.service.js';
import type { ServiceFields } from './dto/service-fields.js';
import { SERVICES, type Service } from './service.entity.js';

@Injectable()
export class ServicesService {
  constructor(private readonly children: ShipmentChildrenService) {}

  list(shipmentID: string, paging: PagingQuery): Promise<Page> {
    return this.children.list(SERVICES, shipmentID, paging);
  }

  read(id: string): Promise<Stored> {
    return this.children.read(SERVICES, id);
  }

  create(shipmentID: string, fields: ServiceFields): Change {
    return this.children.create(SERVICES, shipmentID, fields);
  }

  update(service: Locked<Service>, fields: Partial<ServiceFields>): Change {
    return service.update({ ...fields });
  }

  remove(service: Locked<Service>): Change {
    return service.remove();
  }
}
