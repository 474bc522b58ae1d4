import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { pageRequest, type PagingQuery } from '../records/paging.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import { SHIPMENTS } from '../model/shipment.entity.js';

/** Children of a shipment, which have their own versions. */
@Injectable()
export class ShipmentChildrenService {
  constructor(private readonly records: Records) {}

  async list(resource: Resource, shipmentID: string, paging: PagingQuery): Promise<Page> {
    const { id } = await this.records.read(SHIPMENTS, shipmentID);
    return this.records.page(resource, { ...pageRequest(paging), filters: { shipmentID: id } });
  }

  read(resource: Resource, id: string): Promise<RenderedRecord> {
    return this.records.read(resource, id);
  }

  async create(transaction: Transaction, resource: Resource, name: string, fields: object): Promise<PendingWrite> {
    const shipmentID = await this.records.findID(SHIPMENTS, name, transaction);
    return this.records.create(resource, { ...fields, shipmentID });
  }
}
