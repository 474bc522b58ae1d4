import { Controller, Get, Param, Put } from '@nestjs/common';
import { NeedsScope } from '../auth/access.js';
import { IfMatch, LockedRow } from '../writes/if-match.guard.js';
import { Fields } from '../writes/fields.pipe.js';
import { Operation, Tag } from '../openapi/operation.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Locked } from '../records/locked.js';
import type { RenderedRecord } from '../records/rendered-record.js';
import { addressNamed } from './address-ids.js';
import { Address, type AddressName } from './address.js';
import { AddressesService } from './addresses.service.js';
import { AddressFields } from './dto/address-fields.js';
import { SHIPMENTS, type Shipment } from './shipment.entity.js';

function addressIn(shipment: Shipment, { addressID }: Record<string, string>): AddressName | undefined {
  return addressNamed(shipment, addressID);
}

@Controller('v1/mto-shipment/:shipmentID/address')
@Tag('Addresses', 'The addresses of a shipment. They are part of it and share its version.')
export class AddressesController {
  constructor(private readonly addresses: AddressesService) {}

  @Get(':addressID')
  @NeedsScope('shipments:read')
  @Operation('readAddress', 'Read an address', { record: Address, description: "Its eTag is its shipment's." })
  read(@Param('shipmentID') shipmentID: string, @Param('addressID') addressID: string): Promise<RenderedRecord> {
    return this.addresses.read(shipmentID, addressID);
  }

  @Put(':addressID')
  @NeedsScope('shipments:write')
  @IfMatch(SHIPMENTS, (shipment, params) => addressIn(shipment, params) !== undefined)
  @Operation('replaceAddress', 'Replace an address', {
    record: Address,
    description: 'This makes a new version of the shipment.',
  })
  replace(
    @LockedRow() shipment: Locked<Shipment>,
    @Param('addressID') addressID: string,
    @Fields(AddressFields, { partNamed: addressIn }) fields: AddressFields,
  ): PendingWrite {
    return this.addresses.replace(shipment, addressID, fields);
  }
}
