import { shapeOf } from '../../fields/shape.js';
import { MOVES } from '../../moves/move.entity.js';
import type { Schema } from '../../schema/json-schema.js';
import { AGENT_TYPES } from '../../shipments/agents/agent.entity.js';
import { AddressFields } from '../../shipments/dto/address-fields.js';
import { STATUSES } from '../../shipments/shipment-status.js';
import { MOST_POUNDS } from '../../shipments/shipment.entity.js';

const POUNDS: Schema = { minimum: 1, maximum: MOST_POUNDS };

/** What is true of a column and its type does not say; the database checks it as well. */
export const COLUMN_ADDITIONS: Readonly<Record<string, Schema>> = {
  'Move.moveCode': { pattern: MOVES.alternateKey?.pattern.source ?? '' },
  'Shipment.status': { enum: STATUSES },
  'Shipment.estimatedWeight': POUNDS,
  'Shipment.actualWeight': POUNDS,
  'Agent.agentType': { enum: AGENT_TYPES },
};

/** An address that is there is whole, though its columns can be null. */
export function isAlwaysThere(schema: string, field: string): boolean {
  return schema === 'Address' && (field === 'id' || shapeOf(AddressFields.prototype, field).required === true);
}
