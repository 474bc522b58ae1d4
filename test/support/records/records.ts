import type { Api, Json } from '../http/api.js';

export const ADDRESS = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A valid id that no record has. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

export function createMove(api: Api, fields: object = {}): Promise<Json> {
  return create(api, '/v1/moves', fields);
}

export function createShipment(api: Api, fields: object = {}): Promise<Json> {
  return create(api, '/v1/shipments', { shipmentType: 'HHG', ...fields });
}

type CreateChild = (api: Api, fields?: object, shipment?: Json) => Promise<Json>;

/** Creates a child of a shipment, by default of a new one. */
function creationOf(collection: string, body: object): CreateChild {
  return async (api, fields = {}, shipment) => {
    const { id } = shipment ?? (await createShipment(api));
    return create(api, `/v1/shipments/${id}/${collection}`, { ...body, ...fields });
  };
}

const AGENT = { agentType: 'RELEASING_AGENT', firstName: 'Ada', email: 'ada@example.com' };
const SERVICE = { code: 'PACK' };

export const createAgent = creationOf('agents', AGENT);
export const createService = creationOf('services', SERVICE);

async function create(api: Api, path: string, fields: object): Promise<Json> {
  const { status, body } = await api.post(path, fields);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Describes a resource for specs that test all of them. */
export interface Kind {
  readonly name: string;
  readonly path: string;
  readonly create: CreateChild;
  /** A minimal body. */
  readonly body: Record<string, unknown>;
  /** A body with a value for every writable field. */
  readonly full: Record<string, unknown>;
  readonly required: readonly string[];
  readonly readOnly: readonly string[];
  /** An optional text field, which a test may set and clear. */
  readonly optional: string;
}

const COMMON = ['id', 'createdAt', 'updatedAt', 'eTag'];

export const KINDS: readonly Kind[] = [
  {
    name: 'move',
    path: '/v1/moves',
    create: createMove,
    body: {},
    full: { orderID: 'A-1', remarks: 'fragile' },
    required: [],
    readOnly: [...COMMON, 'moveCode'],
    optional: 'remarks',
  },
  {
    name: 'shipment',
    path: '/v1/shipments',
    create: createShipment,
    body: { shipmentType: 'HHG' },
    full: {
      shipmentType: 'HHG',
      pickupDate: '2026-03-01',
      deliveryDate: '2026-03-05',
      pickupAddress: ADDRESS,
      destinationAddress: { ...ADDRESS, streetAddress2: 'Door 2', streetAddress3: 'Bell 3', country: 'US' },
      estimatedWeight: 2000,
      actualWeight: 2100,
      customerRemarks: 'ring twice',
    },
    required: ['shipmentType'],
    readOnly: [...COMMON, 'shipmentCode', 'status', 'rejectionReason'],
    optional: 'customerRemarks',
  },
  {
    name: 'agent',
    path: '/v1/agents',
    create: createAgent,
    body: AGENT,
    full: {
      agentType: 'RECEIVING_AGENT',
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@example.com',
      phone: '555-0100',
    },
    required: ['agentType', 'firstName'],
    readOnly: [...COMMON, 'shipmentID'],
    optional: 'lastName',
  },
  {
    name: 'service',
    path: '/v1/services',
    create: createService,
    body: SERVICE,
    full: { code: 'PACK', description: 'with care' },
    required: ['code'],
    readOnly: [...COMMON, 'shipmentID'],
    optional: 'description',
  },
];

/** The resources that belong to a shipment. */
export const CHILDREN = KINDS.filter(({ name }) => name !== 'move' && name !== 'shipment');

/** The path to create a record. */
export async function collectionOf(api: Api, kind: Kind): Promise<string> {
  if (!CHILDREN.includes(kind)) return kind.path;
  return childrenOf(await createShipment(api), kind);
}

/** The path of a shipment's children. */
export function childrenOf(shipment: Json, { path }: Kind): string {
  return path.replace('/v1/', `/v1/shipments/${shipment.id}/`);
}
