import type { FileKind } from '../files/columns.js';
import { NewShipmentFields, ShipmentFields } from './dto/shipment-fields.js';
import { SHIPMENTS } from './shipment.entity.js';

export const SHIPMENT_FILES: FileKind = {
  resource: SHIPMENTS,
  created: NewShipmentFields,
  changed: ShipmentFields,
};
