import fc from 'fast-check';
import type { Json } from '../../support/api.js';
import { json, type Answer, type Client } from '../client.js';
import { created } from '../fixture.js';
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
}

function creations({ description }: Target): fc.Arbitrary<Creation> {
  return fc.oneof(
    ...KIND_NAMES.map((kind) => {
      const bodies = valid(description, kindOf(description, kind).created) as fc.Arbitrary<Json>;
      return fc.record({ kind: fc.constant(kind), prefixed: fc.boolean(), body: bodies });
    }),
  );
}

/** A new record is what was sent, and is there where Location says. */
export const creationsAreKept = batches('creations', 3, creations, async ({ kind: name, prefixed, body }, target) => {
  const { client, description, fixture } = target;
  const kind = kindOf(description, name);
  const isShipment = name === 'shipment';
  // A made-up move is nobody's; an agent needs a shipment that has none of its type.
  const content = isShipment && body.moveID ? { ...body, moveID: fixture.move.id } : body;
  const parent =
    name === 'agent' ? (await created(client, '/v1/shipments', { shipmentType: 'HHG' })).id : fixture.other.id;
  const nested = name === 'agent' || name === 'service' ? `/v1/shipments/${parent}/${name}s` : kind.path;
  const path = isShipment && prefixed ? '/prime/v1/shipments' : nested;
  const answer = await client.send({ method: 'POST', path, ...json(content) });
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
});

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
}

function changes({ description }: Target): fc.Arbitrary<Change> {
  const each = KIND_NAMES.flatMap((name) => {
    const kind = kindOf(description, name);
    const bases = (valid(description, kind.replacement) as fc.Arbitrary<Json>).filter(
      (base) => ruleFaults(kind, base).length === 0,
    );
    return (['PATCH', 'PUT'] as const).map((method) =>
      fc.record({
        kind: fc.constant(name),
        method: fc.constant(method),
        base: bases,
        body: valid(description, method === 'PUT' ? kind.replacement : kind.patch) as fc.Arbitrary<Json>,
        echoes: fc.boolean(),
      }),
    );
  });
  return fc.oneof(...each);
}

/** A change is what was sent, on top of what was there; what the server set may be sent along as it was. */
export const changesAreKept = batches(
  'changes',
  3,
  changes,
  async ({ kind: name, method, base, body, echoes }, target) => {
    const { client, description, fixture } = target;
    const kind = kindOf(description, name);
    const parent =
      name === 'agent' ? (await created(client, '/v1/shipments', { shipmentType: 'HHG' })).id : fixture.other.id;
    const collection = name === 'agent' || name === 'service' ? `/v1/shipments/${parent}/${name}s` : kind.path;
    const before = await created(client, collection, base);
    const content = echoes ? withEchoes(kind, body, before) : body;
    const path = `${kind.path}/${before.id}`;
    const answer = await client.send({
      method,
      path,
      ...json(content, { 'If-Match': before.eTag }),
    });
    const faults = ruleFaults(kind, body, method === 'PATCH' ? before : undefined);
    if (faults.length > 0) {
      refusedByRules(client, answer, faults);
      return;
    }
    client.expect(ACCEPTED, answer, answer.status === 200, 'not changed');
    const expected = method === 'PATCH' ? merged(kind, before, body) : complete(kind, body);
    const fault = recordFault(kind, answer.body, expected, before);
    client.expect(UNALTERED, answer, fault === undefined, fault ?? '');
    const header = answer.headers.get('ETag');
    client.expect(
      'ETag is the eTag',
      answer,
      header === (method === 'PUT' ? null : `"${answer.body.eTag}"`),
      'another ETag',
    );
    const read = await client.send({ method: 'GET', path });
    client.expect(UNALTERED, read, read.text === answer.text, 'another record than was answered');
  },
);

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
