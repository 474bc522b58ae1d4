import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import type { PagingQuery } from '../../http/paging.js';
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

  create(transaction: Transaction, shipmentID: string, fields: ServiceFields): Promise<Stored> {
    return this.children.create(transaction, SERVICES, shipmentID, fields);
  }

  change(service: Locked<Service>, fields: Partial<ServiceFields>): Promise<Stored> {
    return service.update({ ...fields });
  }

  remove(service: Locked<Service>): Promise<void> {
    return service.remove();
  }
}
