import fc from 'fast-check';
import { json } from '../client.js';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { faultsOf } from '../generate/invalid.js';
import { valid } from '../generate/valid.js';
import type { Target } from '../target.js';
import { isProblem, refusals, type Refusal } from './refusals.js';

function operationsWithBody({ description }: Target): Operation[] {
  return description.operations.filter(({ body }) => body !== undefined);
}

/** Bodies with one fault each. */
export const faultyBodies = refusals({
  name: 'faulty-bodies',
  check: 'invalid data is refused',
  runs: 6,
  covers: (goal) => goal.kind === 'field' && goal.outcome === 'at fault',
  kinds: (target) => operationsWithBody(target).flatMap((operation) => bodiesWithFaults(operation, target)),
});

function bodiesWithFaults({ method, path, body = {} }: Operation, target: Target): fc.Arbitrary<Refusal>[] {
  const place = placeOf(path, target.fixture);
  return faultsOf(target.description, body).map((faulty) =>
    faulty.map(({ value, pointer, fault }) => ({
      why: `${fault} at ${pointer || 'the body'}`,
      sent: { method, path: place.path, ...json(value, method === 'POST' ? {} : { 'If-Match': place.eTag }) },
      statuses: [422],
      codes: ['VALIDATION_FAILED'],
      pointer,
    })),
  );
}

/** Bodies that are no JSON, or JSON of any kind. */
export const rawBodies = refusals({
  name: 'raw-bodies',
  check: 'unreadable bodies are refused',
  runs: 4,
  covers: (goal) => isProblem(goal, 'MALFORMED_JSON', 'TOO_LARGE'),
  kinds: (target) => operationsWithBody(target).flatMap((operation) => rawBodiesOf(operation, target)),
});

function rawBodiesOf({ method, path, body = {} }: Operation, target: Target): fc.Arbitrary<Refusal>[] {
  const { description, fixture } = target;
  const place = placeOf(path, fixture);
  const isRefused = (sent: Buffer) => !description.isValid(body, parsed(sent));
  const kind = (bytes: fc.Arbitrary<Buffer>, ...codes: string[]) =>
    bytes.filter(isRefused).map((sent) => ({
      why: 'a body that is not what it should be',
      sent: {
        method,
        path: place.path,
        headers: { 'Content-Type': 'application/json', ...(method !== 'POST' && { 'If-Match': place.eTag }) },
        body: sent,
      },
      statuses: [400, 413, 422],
      codes,
    }));
  const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
  const values = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
  const broken = brokenJson(valid(description, body));
  const cut = fc.constantFrom('{', '{"a":', '[1', 'nul', '{"a":1}}').map((text) => Buffer.from(text));
  const large = fc.integer({ min: 65_537, max: 70_000 }).map((length) => Buffer.alloc(length, ' '));
  return [
    kind(fc.oneof(bytes, values, broken), 'MALFORMED_JSON', 'VALIDATION_FAILED'),
    kind(cut, 'MALFORMED_JSON'),
    kind(large, 'TOO_LARGE'),
  ];
}

/** A good body of which a piece is missing, or in which a byte is another one. */
function brokenJson(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  return fc.tuple(bodies, fc.nat(), fc.nat(255), fc.boolean()).map(([body, place, byte, cuts]) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const at = place % bytes.length;
    if (cuts) return bytes.subarray(0, at);
    bytes[at] = byte;
    return bytes;
  });
}

/** Undefined, which no schema takes, when it is no JSON in UTF-8. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
