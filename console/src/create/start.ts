import type { Agent, Service, Shipment } from '@waybill/client';
import { FIELDS, valuesOf, type Kind, type Values } from '../model/fields.js';
import type { Start } from './creation.js';

/** The editable values of a record, for a copy of it. */
function copyOf(kind: Kind, record: object): Values {
  const values = valuesOf(record);
  const named = FIELDS[kind].map(({ name }) => [name, values[name] ?? null] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== null));
}

/** A copy has no actual weight yet. */
export function startFrom(shipment: Shipment): Start {
  const { actualWeight: _, ...values } = copyOf('shipment', shipment);
  const { agents = [], services = [] }: { agents?: readonly Agent[]; services?: readonly Service[] } = shipment;
  return {
    values: { ...values, moveID: shipment.moveID },
    parts: [
      ...agents.map((agent) => ({ kind: 'agent' as const, values: copyOf('agent', agent) })),
      // The service lists the newest first.
      ...[...services].reverse().map((service) => ({ kind: 'service' as const, values: copyOf('service', service) })),
    ],
  };
}

export function startInMove(moveID: string): Start {
  return { values: { moveID }, parts: [] };
}
