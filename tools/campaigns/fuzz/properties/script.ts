import type { Json } from '../../../../test/support/http/api.js';
import { CHILDREN } from '../../../../test/support/records/records.js';
import { ADDRESS } from '../fixture.js';
import { Change, Remove } from '../model/changes.js';
import { Create, Repeat } from '../model/creations.js';
import { CHILD_NAMES, KIND_NAMES } from '../model/kinds.js';
import { CONDITIONS, type Condition } from '../model/preconditions.js';
import { List, Read, ReadHistory, ReadVersion, WAYS } from '../model/reads.js';
import { ChangeStatus, ReplaceAddress } from '../model/shipment-changes.js';
import { Undelete } from '../model/undelete.js';
import type { Command, Terms } from '../model/writes.js';

const LAST = -1;
const origin = { client: 0, parent: 0, move: 'none', keyed: true } as const;

function terms(index = 0, condition: Condition = 'known'): Terms {
  return { client: 0, index, condition, keyed: true };
}

const AGENT = { agentType: 'RELEASING_AGENT', firstName: 'Ada', phone: '555-0100' };
const REPLACEMENTS: Record<string, Json> = {
  ...Object.fromEntries(CHILDREN.map(({ name, body }) => [name, body])),
  move: { orderID: 'C-3' },
  shipment: { shipmentType: 'NTS', pickupAddress: ADDRESS },
};

/**
 * One command of each kind with each outcome, in an order in which all of them apply: what random sequences do is up to
 * chance, and a short campaign has few of them. It starts with one shipment and its move.
 */
export const SCRIPT: readonly Command[] = [
  new Create('move', origin, { orderID: 'B-2' }),
  new Repeat(LAST, false),
  new Repeat(LAST, true),
  new Create('agent', origin, AGENT),
  new Create('agent', origin, { ...AGENT, agentType: 'RECEIVING_AGENT' }),
  new Create('agent', origin, AGENT),
  new Change('agent', 'PATCH', terms(), { agentType: 'RECEIVING_AGENT' }),
  new Change('agent', 'PUT', terms(), { ...AGENT, agentType: 'RECEIVING_AGENT' }),
  ...CHILDREN.filter(({ name }) => name !== 'agent').map(({ name, body }) => new Create(name, origin, body)),
  new Create('shipment', { ...origin, move: 'unknown' }, { shipmentType: 'HHG' }),
  ...KIND_NAMES.flatMap((kind) => [
    ...CONDITIONS.map((condition) => new Change(kind, 'PATCH', terms(0, condition), {})),
    new Change(kind, 'PUT', terms(), REPLACEMENTS[kind]),
    ...WAYS.map((way) => new Read(kind, 0, 1, way)),
  ]),
  new ReplaceAddress('pickupAddress', terms(), {
    ...ADDRESS,
    streetAddress2: 'Rear building',
    streetAddress3: 'Door 3',
    country: 'US',
  }),
  new Repeat(LAST, true),
  new ReplaceAddress('destinationAddress', terms(), ADDRESS),
  ...[...CHILD_NAMES, 'shipment'].map((kind) => new List(kind, 0)),
  ...(['move', 'shipment'] as const).flatMap((kind) => [new ReadHistory(kind, 0), new ReadVersion(kind, 0, 1)]),
  new ChangeStatus(terms(), { status: 'REJECTED' }),
  new ChangeStatus(terms(), { status: 'REJECTED', rejectionReason: 'Too late' }, 'application/merge-patch+json'),
  new Repeat(LAST, true),
  new ChangeStatus(terms(), { status: 'APPROVED' }),
  new Create('shipment', origin, { shipmentType: 'HHG' }),
  new ChangeStatus(terms(1), { status: 'APPROVED' }),
  new Remove('move', terms()),
  ...[...CHILD_NAMES, 'shipment'].flatMap((kind) => [
    new Remove(kind, terms(0, 'weak')),
    new Remove(kind, terms()),
    new Repeat(LAST, false),
    new Repeat(LAST, true),
    new Read(kind, 0, 0, 'plain'),
  ]),
  new Remove('move', terms(1)),
  new Repeat(LAST, true),
  new Remove('move', terms()),
  ...[...CHILD_NAMES, 'shipment'].map((kind) => new Undelete(kind, terms())),
  ...['move', 'shipment', ...CHILD_NAMES].flatMap((kind) => [
    ...(['none', 'weak', 'foreign'] as const).map((condition) => new Undelete(kind, terms(0, condition))),
    new Undelete(kind, terms()),
    new Repeat(LAST, false),
    new Repeat(LAST, true),
    new Undelete(kind, terms()),
  ]),
  // With a child, which comes back along.
  new Remove('shipment', terms(0, 'any')),
  new Undelete('shipment', terms()),
  new Remove('agent', terms(0, 'any')),
  new Create('agent', origin, AGENT),
  new Undelete('agent', terms()),
];
