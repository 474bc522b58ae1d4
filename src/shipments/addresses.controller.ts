import { Controller, Get, Param, Put } from '@nestjs/common';
import { IfMatch, LockedRow } from '../etag/if-match.guard.js';
import { Fields } from '../fields/fields.decorator.js';
import type { Locked } from '../records/locked.js';
import type { Stored } from '../records/stored.js';
import { addressNamed } from './address-ids.js';
import type { Address } from './address.js';
import { AddressesService } from './addresses.service.js';
import { AddressFields } from './dto/address-fields.js';
import { SHIPMENTS, type Shipment } from './shipment.entity.js';

type Params = Record<string, string>;

function addressOf(shipment: Shipment, { addressID }: Params): Address | undefined {
  const name = addressNamed(shipment, addressID);
  return name && (shipment[name] ?? undefined);
}

@Controller('v1/mto-shipment/:shipmentID/address')
export class AddressesController {
  constructor(private readonly addresses: AddressesService) {}

  @Get(':addressID')
  read(@Param('shipmentID') shipmentID: string, @Param('addressID') addressID: string): Promise<Stored> {
    return this.addresses.read(shipmentID, addressID);
  }

  @Put(':addressID')
  @IfMatch(SHIPMENTS, (shipment, params) => addressOf(shipment, params) !== undefined)
  replace(
    @LockedRow() shipment: Locked<Shipment>,
    @Param('addressID') addressID: string,
    @Fields(AddressFields, addressOf) fields: AddressFields,
  ): Promise<Stored> {
    return this.addresses.replace(shipment, addressID, fields);
  }
}
