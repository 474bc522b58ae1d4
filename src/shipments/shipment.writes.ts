import type { Config } from '../config/config.js';
import type { FieldError } from '../problem/problem.js';
import { writesOf, type WriteRule } from '../writes/write-rule.js';
import { addressNamed } from './addresses.js';
import { AddressFields } from './dto/address-fields.js';
import { NewShipmentFields, ShipmentFields } from './dto/shipment-fields.js';
import { StatusChange } from './dto/status-change.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';

/** The writes of a shipment: single requests, bulks and imports all follow these rules. */
export const SHIPMENT_WRITES = {
  ...writesOf({
    resource: SHIPMENTS,
    scope: 'shipments:write',
    fields: ShipmentFields,
    newFields: NewShipmentFields,
    configured: allowedTypes,
  }),
  updateStatus: {
    resource: SHIPMENTS,
    scope: 'shipments:status',
    ifMatch: 'required',
    body: { type: StatusChange, use: 'Command' },
  },
  replaceAddress: {
    resource: SHIPMENTS,
    scope: 'shipments:write',
    ifMatch: 'required',
    body: {
      type: AddressFields,
      use: 'Replacement',
      partNamed: (shipment: Shipment, { addressID }) => addressNamed(shipment, addressID) ?? null,
    },
  },
} as const satisfies Record<string, WriteRule>;

/** SHIPMENT_TYPES applies to new values; existing shipments keep their type. */
function allowedTypes(
  { SHIPMENT_TYPES: allowed }: Config,
  { shipmentType }: ShipmentFields,
  current: Shipment | undefined,
): FieldError[] {
  if (allowed === undefined || typeof shipmentType !== 'string') return [];
  if (allowed.includes(shipmentType) || shipmentType === current?.shipmentType) return [];
  return [{ pointer: '/shipmentType', code: 'NOT_ALLOWED', message: `must be one of ${allowed.join(', ')}` }];
}
