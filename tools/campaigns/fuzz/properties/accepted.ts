import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Schema } from '../../../../src/validation/json-schema.js';
import type { Json } from '../../../../test/support/http/api.js';
import { json, type Client } from '../client.js';
import type { Answer } from '../wire.js';
import type { Description } from '../description.js';
import { created } from '../fixture.js';
import { validQueries, written, type Pairs } from '../generate/queries.js';
import { valid } from '../generate/valid.js';
import { ADDRESSES, complete, kindOf, KIND_NAMES, merged, type Kind, type KindName } from '../model/kinds.js';
import { ruleFaults } from '../model/rules.js';
import { recordFault } from '../model/versions.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';

const ACCEPTED = 'valid data is accepted';
const UNALTERED = 'what is accepted is stored unaltered';

interface Creation {
  readonly kind: KindName;
  readonly prefixed: boolean;
  readonly body: Json;
  readonly keyed: boolean;
}

function creations({ description }: Target): fc.Arbitrary<Creation>[] {
  const places = [
    ...KIND_NAMES.map((kind) => ({ kind, prefixed: false })),
    { kind: 'shipment', prefixed: true } as const,
  ];
  return places.flatMap(({ kind: name, prefixed }) => {
    const kind = kindOf(description, name);
    const creation = (bodies: fc.Arbitrary<Json>, keyed: fc.Arbitrary<boolean>) =>
      fc.record({ kind: fc.constant(name), prefixed: fc.constant(prefixed), body: bodies, keyed });
    return [
      creation(valid(description, kind.created) as fc.Arbitrary<Json>, fc.boolean()),
      creation(completeBodies(description, kind.created), fc.constant(true)),
    ];
  });
}

/** Bodies with a value in every field, which the rules between fields allow. */
function completeBodies(description: Description, schema: Schema): fc.Arbitrary<Json> {
  return (valid(description, schema, 'all fields') as fc.Arbitrary<Json>).map((body) => {
    if (body.pickupDate === undefined) return body;
    const [pickupDate, deliveryDate] = [body.pickupDate, body.deliveryDate].sort();
    return { ...body, pickupDate, deliveryDate };
  });
}

/** A new record is what was sent, and is there where Location says. */
export const creationsAreKept = batches({
  name: 'creations',
  runs: 3,
  covers: ({ operation, kind, outcome }) =>
    operation.method === 'POST' &&
    operation.body !== undefined &&
    outcome === 'accepted' &&
    ['field', 'header', 'media type'].includes(kind),
  kinds: creations,
  holds: async ({ kind: name, prefixed, body, keyed }, target) => {
    const { client, description, fixture } = target;
    const kind = kindOf(description, name);
    // A made-up move is nobody's.
    const content = name === 'shipment' && body.moveID ? { ...body, moveID: fixture.move.id } : body;
    const path = prefixed ? '/prime/v1/shipments' : await collectionOf(name, target);
    const key = keyed ? { 'Idempotency-Key': randomUUID() } : {};
    const answer = await client.send({ method: 'POST', path, ...json(content, key) });
    const faults = ruleFaults(kind, content);
    if (faults.length > 0) {
      refusedByRules(client, answer, faults);
      return;
    }
    client.expect(ACCEPTED, answer, answer.status === 201, 'not created');
    const fault = recordFault(kind, answer.body, complete(kind, content));
    client.expect(UNALTERED, answer, fault === undefined, fault ?? '');
    client.expect('ETag is the eTag', answer, answer.headers.get('ETag') === `"${answer.body.eTag}"`, 'another ETag');
    await isAtLocation(client, answer, `${kind.path}/${answer.body.id}`);
    if (keyed) await isKeptByItsKey(client, answer);
  },
});

/** Where records of a kind are made. An agent needs a shipment that has none of its type. */
async function collectionOf(name: KindName, { client, fixture }: Target): Promise<string> {
  if (name === 'move' || name === 'shipment') return `/v1/${name}s`;
  const { id } = name === 'agent' ? await created(client, '/v1/shipments', { shipmentType: 'HHG' }) : fixture.other;
  return `/v1/shipments/${id}/${name}s`;
}

/** The same request with the same key gets the same answer, and another request with that key is refused. */
export async function isKeptByItsKey(client: Client, answer: Answer): Promise<void> {
  const again = await client.send(answer.sent);
  const isReplayed = again.status === answer.status && again.text === answer.text;
  client.expect('a repeated write is answered as before', again, isReplayed, `not ${answer.status} ${answer.text}`);
  const other = await client.send({ ...answer.sent, body: '{"another":"body"}' });
  const isRefused = other.status === 422 && other.body.code === 'IDEMPOTENCY_MISMATCH';
  client.expect('a key belongs to one request', other, isRefused, '422 IDEMPOTENCY_MISMATCH expected');
}

async function isAtLocation(client: Client, answer: Answer, path: string): Promise<void> {
  const check = 'a new record is where Location says';
  const location = answer.headers.get('Location');
  client.expect(check, answer, location === path, `Location is ${location ?? 'missing'} instead of ${path}`);
  const read = await client.send({ method: 'GET', path });
  client.expect(check, read, read.status === 200 && read.text === answer.text, 'something else is there');
  const eTag = read.headers.get('ETag') ?? '';
  const again = await client.send({ method: 'GET', path, headers: { 'If-None-Match': eTag } });
  client.expect('304 for the version that is known', again, again.status === 304 && again.text === '', 'no 304');
  const head = await client.send({ method: 'HEAD', path });
  const same = ['ETag', 'Content-Type', 'Content-Length'].every(
    (name) => head.headers.get(name) === read.headers.get(name),
  );
  client.expect(
    'HEAD is GET without the body',
    head,
    head.status === 200 && same && head.text === '',
    'another answer',
  );
}

interface Change {
  readonly kind: KindName;
  readonly method: 'PATCH' | 'PUT';
  readonly base: Json;
  readonly body: Json;
  /** Whether what the server set is sent back with it. */
  readonly echoes: boolean;
  readonly keyed: boolean;
  readonly type: string;
  readonly query: Pairs;
}

function changes({ description }: Target): fc.Arbitrary<Change>[] {
  return KIND_NAMES.flatMap((kind) =>
    (['PATCH', 'PUT'] as const).flatMap((method) => changesOf(description, kind, method)),
  );
}

function changesOf(description: Description, name: KindName, method: 'PATCH' | 'PUT'): fc.Arbitrary<Change>[] {
  const kind = kindOf(description, name);
  const operation = description.operationOf(method, `${kind.path}/x`);
  if (operation === undefined) throw new Error(`The document has no ${method} of a ${name}`);
  const schema = method === 'PUT' ? kind.replacement : kind.patch;
  const followsRules = (base: Json) => ruleFaults(kind, base).length === 0;
  const common = { kind: fc.constant(name), method: fc.constant(method) };
  const complete = {
    ...common,
    base: completeBodies(description, kind.replacement),
    body: completeBodies(description, schema),
    echoes: fc.constant(true),
    keyed: fc.constant(true),
  };
  return [
    fc.record({
      ...common,
      base: (valid(description, kind.replacement) as fc.Arbitrary<Json>).filter(followsRules),
      body: valid(description, schema) as fc.Arbitrary<Json>,
      echoes: fc.boolean(),
      keyed: fc.boolean(),
      type: fc.constantFrom(...operation.mediaTypes),
      query: fc.constant([]),
    }),
    ...operation.mediaTypes.map((type) => fc.record({ ...complete, type: fc.constant(type), query: fc.constant([]) })),
    ...validQueries(description, operation).map((query) =>
      fc.record({ ...complete, type: fc.constantFrom(...operation.mediaTypes), query }),
    ),
  ];
}

/** A change is what was sent, on top of what was there; what the server set may be sent along as it was. */
export const changesAreKept = batches({
  name: 'changes',
  runs: 3,
  covers: ({ operation, outcome }) =>
    outcome === 'accepted' &&
    KIND_NAMES.some((kind) => operation.path.startsWith(`/v1/${kind}s/{${kind}ID}`)) &&
    ['PATCH', 'PUT'].includes(operation.method),
  kinds: changes,
  holds: async ({ kind: name, method, base, body, echoes, keyed, type, query }, target) => {
    const { client, description } = target;
    const kind = kindOf(description, name);
    const before = await created(client, await collectionOf(name, target), base);
    const content = echoes ? withEchoes(kind, body, before) : body;
    const path = `${kind.path}/${before.id}`;
    const key = keyed ? { 'Idempotency-Key': randomUUID() } : {};
    const headers = { 'If-Match': before.eTag, 'Content-Type': type, ...key };
    const answer = await client.send({ method, path: path + written(query), ...json(content, headers) });
    const faults = ruleFaults(kind, body, method === 'PATCH' ? before : undefined);
    if (faults.length > 0) {
      refusedByRules(client, answer, faults);
      return;
    }
    client.expect(ACCEPTED, answer, answer.status === 200, 'not changed');
    const expected = method === 'PATCH' ? merged(kind, before, body) : complete(kind, body);
    const fault = recordFault(kind, answer.body, expected, before);
    client.expect(UNALTERED, answer, fault === undefined, fault ?? '');
    const header = method === 'PUT' || query.length > 0 ? null : `"${answer.body.eTag}"`;
    client.expect('ETag is the eTag', answer, answer.headers.get('ETag') === header, 'another ETag');
    const read = await client.send({ method: 'GET', path: path + written(query) });
    client.expect(UNALTERED, read, read.text === answer.text, 'another record than was answered');
    if (keyed) await isKeptByItsKey(client, answer);
  },
});

function withEchoes({ fields }: Kind, body: Json, record: Json): Json {
  const own = Object.entries(record).filter(([name]) => !fields.includes(name));
  const nested = ADDRESSES.filter((name) => body[name] && record[name]).map((name) => {
    const { id, eTag } = record[name];
    return [name, { ...body[name], id, eTag }];
  });
  return { ...body, ...Object.fromEntries(own), ...Object.fromEntries(nested) };
}

function refusedByRules(client: Client, answer: Answer, faults: readonly string[]): void {
  const found: string[] = (answer.body?.errors ?? []).map(({ pointer }: Json) => pointer);
  const isRefused = answer.status === 422 && found.toSorted().join() === faults.toSorted().join();
  client.expect(
    'rules between fields are kept',
    answer,
    isRefused,
    `422 with ${faults.join()} instead of ${found.join()}`,
  );
}
