import { Controller, Get, Param, Put } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import { LockedRow, Writes } from '../writes/writes.decorator.js';
import { Fields } from '../writes/fields.pipe.js';
import { Operation, PathParameter, Stability, Tag } from '../openapi/operation.js';
import { recordOf } from '../openapi/response.js';
import { notFound } from '../records/resource.js';
import type { PendingWrite } from '../records/pending-write.js';
import { SENT_UUID } from '../validation/json-schema.js';
import { Records, type Locked } from '../records/records.js';
import type { RenderedRecord } from '../records/rendered-record.js';
import { Address } from '../model/address.js';
import { addressNamed } from './addresses.js';
import type { AddressFields } from './dto/address-fields.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';
import { SHIPMENT_WRITES } from './shipment.writes.js';

@Controller('v1/mto-shipment/:shipmentID/address')
@Tag('Addresses', 'The addresses of a shipment. They are part of it and share its version.')
@Stability('core')
@PathParameter('addressID', {
  description: 'The id of the address.',
  example: '0199c3a0-8a10-7b5d-8d86-3cbf8a4f5e6d',
  schema: SENT_UUID,
})
export class AddressesController {
  constructor(private readonly records: Records) {}

  @Get(':addressID')
  @NeedsScope('shipments:read')
  @Operation('readAddress', 'Read an address', {
    response: recordOf(Address),
    description: 'Its eTag is that of its shipment.',
  })
  async read(@Param('shipmentID') shipmentID: string, @Param('addressID') addressID: string): Promise<RenderedRecord> {
    return addressIn(await this.records.read(SHIPMENTS, shipmentID), addressID);
  }

  @Put(':addressID')
  @Writes(SHIPMENT_WRITES.replaceAddress)
  @Operation('replaceAddress', 'Replace an address', {
    response: recordOf(Address),
    description: 'Creates a new version of the shipment.',
  })
  replace(
    @LockedRow() shipment: Locked<Shipment>,
    @Param('addressID') addressID: string,
    @Fields() fields: AddressFields,
  ): PendingWrite {
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
