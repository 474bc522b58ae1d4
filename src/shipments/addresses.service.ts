import { Injectable } from '@nestjs/common';
import { notFound } from '../records/resource.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Locked } from '../records/locked.js';
import { Records } from '../records/records.js';
import type { RenderedRecord } from '../records/rendered-record.js';
import { addressNamed } from './address-ids.js';
import type { AddressFields } from './dto/address-fields.js';
import { SHIPMENTS, type Shipment } from './shipment.entity.js';

/** The addresses of a shipment, which share its version. */
@Injectable()
export class AddressesService {
  constructor(private readonly records: Records) {}

  async read(shipmentID: string, addressID: string): Promise<RenderedRecord> {
    return addressIn(await this.records.read(SHIPMENTS, shipmentID), addressID);
  }

  replace(shipment: Locked<Shipment>, addressID: string, fields: AddressFields): PendingWrite {
    const name = addressNamed(shipment.row, addressID) ?? notFound(SHIPMENTS, addressID);
    const change = shipment.update({ [name]: { ...fields, id: shipment.row[name]?.id } });
    return change.shownAs((stored) => addressIn(stored, addressID));
  }
}

function addressIn(stored: RenderedRecord, addressID: string): RenderedRecord {
  const shipment = JSON.parse(stored.json) as Shipment;
  const name = addressNamed(shipment, addressID);
  if (name === undefined) return notFound({ ...SHIPMENTS, name: 'address' }, addressID);
  return stored.part(JSON.stringify(shipment[name]));
}
