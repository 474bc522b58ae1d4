import type { Api, Json } from '../support/http/api.js';
import { ADDRESS, createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import type { FieldKind } from './values.js';

/** A request that writes, made for one test: where it goes, and a body that would be accepted. */
export interface Prepared {
  readonly path: string;
  readonly eTag?: string;
  readonly body: Record<string, unknown>;
  /** Where what was written can be read. */
  readonly readAt?: string;
}

/** An endpoint that takes a body, and the fields that body can have. */
export interface Endpoint {
  readonly name: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** The same record cannot take it a second time. */
  readonly once: boolean;
  prepare(api: Api): Promise<Prepared>;
}

const text = (longest: number, more: object = {}): FieldKind => ({ is: 'text', longest, ...more });
const REQUIRED = { required: true };
const BLANK = { blank: true };
const PROSE = { prose: true, blank: true };

const ADDRESS_FIELDS = {
  streetAddress1: text(255, REQUIRED),
  streetAddress2: text(255, BLANK),
  streetAddress3: text(255, BLANK),
  city: text(100, REQUIRED),
  state: text(64, REQUIRED),
  postalCode: text(20, REQUIRED),
  country: text(64, BLANK),
};
const MOVE_FIELDS = { orderID: text(64, BLANK), remarks: text(2000, PROSE) };
const SHIPMENT_FIELDS: Record<string, FieldKind> = {
  shipmentType: text(64, REQUIRED),
  pickupDate: { is: 'day' },
  deliveryDate: { is: 'day' },
  estimatedWeight: { is: 'pounds' },
  actualWeight: { is: 'pounds' },
  customerRemarks: text(2000, PROSE),
  pickupAddress: { is: 'address' },
  destinationAddress: { is: 'address' },
  ...Object.fromEntries(
    Object.entries(ADDRESS_FIELDS).flatMap(([name, kind]) => [
      [`pickupAddress/${name}`, kind],
      [`destinationAddress/${name}`, kind],
    ]),
  ),
};
const AGENT_FIELDS: Record<string, FieldKind> = {
  agentType: { is: 'choice' },
  firstName: text(100, REQUIRED),
  lastName: text(100, BLANK),
  email: text(254),
  phone: text(32),
};
const SERVICE_FIELDS = { code: text(32, REQUIRED), description: text(2000, PROSE) };

const SHIPMENT = { shipmentType: 'HHG', pickupAddress: ADDRESS, destinationAddress: ADDRESS };
const AGENT = { agentType: 'RELEASING_AGENT', firstName: 'Ada', email: 'ada@example.com', phone: '1' };

const creations: Endpoint[] = [
  endpoint('POST', 'move', MOVE_FIELDS, () => ({ path: '/v1/moves', body: {} })),
  endpoint('POST', 'shipment', { ...SHIPMENT_FIELDS, moveID: { is: 'move' } }, () => {
    return { path: '/v1/shipments', body: SHIPMENT };
  }),
  endpoint('POST', 'prefixed shipment', { shipmentType: text(64, REQUIRED), moveID: { is: 'move' } }, () => {
    return { path: '/prime/v1/shipments', body: SHIPMENT };
  }),
  endpoint('POST', 'agent', AGENT_FIELDS, async (api) => {
    return { path: `/v1/shipments/${(await createShipment(api)).id}/agents`, body: AGENT };
  }),
  endpoint('POST', 'service', SERVICE_FIELDS, async (api) => {
    return { path: `/v1/shipments/${(await createShipment(api)).id}/services`, body: { code: 'PACK' } };
  }),
];

const changes: Endpoint[] = (['PUT', 'PATCH'] as const).flatMap((method) => [
  endpoint(method, 'move', MOVE_FIELDS, async (api) => at('/v1/moves', await createMove(api), {})),
  endpoint(method, 'shipment', SHIPMENT_FIELDS, async (api) => {
    return at('/v1/shipments', await createShipment(api, SHIPMENT), SHIPMENT);
  }),
  endpoint(method, 'agent', AGENT_FIELDS, async (api) => at('/v1/agents', await createAgent(api), AGENT)),
  endpoint(method, 'service', SERVICE_FIELDS, async (api) => {
    return at('/v1/services', await createService(api), { code: 'PACK' });
  }),
]);

const parts: Endpoint[] = [
  endpoint('PUT', 'address', ADDRESS_FIELDS, async (api) => {
    const shipment = await createShipment(api, SHIPMENT);
    const path = `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`;
    return { path, eTag: shipment.eTag, body: ADDRESS, readAt: path };
  }),
  endpoint(
    'PATCH',
    'status',
    { status: { is: 'choice' }, rejectionReason: text(2000, { prose: true, required: true }) },
    async (api) => {
      const { id, eTag } = await createShipment(api);
      const body = { status: 'REJECTED', rejectionReason: 'no' };
      return { path: `/prime/v1/shipments/${id}/updateStatus`, eTag, body, readAt: `/v1/shipments/${id}` };
    },
  ),
];

/** Every endpoint that takes a body. */
export const ENDPOINTS: readonly Endpoint[] = [...creations, ...changes, ...parts];

function endpoint(
  method: Endpoint['method'],
  name: string,
  fields: Endpoint['fields'],
  prepare: (api: Api) => Prepared | Promise<Prepared>,
): Endpoint {
  return {
    method,
    name: `${method} ${name}`,
    fields,
    once: ['POST agent', 'PATCH status'].includes(`${method} ${name}`),
    prepare: async (api) => prepare(api),
  };
}

function at(collection: string, { id, eTag }: Json, body: Record<string, unknown>): Prepared {
  const path = `${collection}/${id}`;
  return { path, eTag, body, readAt: path };
}
