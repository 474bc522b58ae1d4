import type { Config } from '../config/config.js';
import type { FieldError } from '../problem/problem.js';
import type { ShipmentFields } from './dto/shipment-fields.js';
import type { Shipment } from './shipment.entity.js';

/** SHIPMENT_TYPES applies to new values; existing shipments keep their type. */
export function allowedTypes(
  { SHIPMENT_TYPES: allowed }: Config,
  { shipmentType }: ShipmentFields,
  current: Shipment | undefined,
): FieldError[] {
  if (allowed === undefined || typeof shipmentType !== 'string') return [];
  if (allowed.includes(shipmentType) || shipmentType === current?.shipmentType) return [];
  return [{ pointer: '/shipmentType', code: 'NOT_ALLOWED', message: `must be one of ${allowed.join(', ')}` }];
}
