import fc from 'fast-check';
import { json } from '../client.js';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { faultyQueries, written } from '../generate/queries.js';
import { pieces } from '../generate/texts.js';
import { valid } from '../generate/valid.js';
import type { Target } from '../target.js';
import { refusals, type Refusal } from './refusals.js';

/** A body and an If-Match that the operation would take, so that only the URL is at fault. */
export function goodRequest({ method, path, body }: Operation, { description, fixture }: Target) {
  const { eTag } = placeOf(path, fixture);
  const headers = method === 'PUT' || method === 'PATCH' ? { 'If-Match': eTag } : {};
  const bodies = body === undefined ? fc.constant(undefined) : valid(description, body);
  return bodies.map((value) => (value === undefined ? { headers } : json(value, headers)));
}

/** Queries with one fault each, also where no query is taken. */
export const faultyURLs = refusals('faulty-queries', 'invalid parameters are refused', 4, (target) => {
  return fc.oneof(...target.description.operations.map((operation) => faultyQuery(operation, target)));
});

function faultyQuery(operation: Operation, target: Target): fc.Arbitrary<Refusal> {
  const { method, path } = operation;
  const place = placeOf(path, target.fixture);
  const queries = faultyQueries(target.description, operation);
  return fc.tuple(queries, goodRequest(operation, target)).map(([{ pairs, name, fault }, rest]) => ({
    why: `${fault} of ?${name}`,
    sent: { method, path: place.path + written(pairs), ...rest },
    statuses: [400],
    codes: ['INVALID_PARAMETER'],
    pointer: `?${name}`,
  }));
}

const BROKEN_ENCODINGS = ['%', '%z', '%f', '%FF', '%C3', '%C0%AF', '%ED%A0%80', 'a%', '%u0041'];
const NEARLY_IDS = [
  '01900000-0000-7000-8000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{01900000-0000-7000-8000-000000000000}',
  '01900000-0000-7000-8000-00000000000G',
  'ZZZZZZ',
  'abc234',
];

/** Names of records that are nobody's. */
export const unknownRecords = refusals('unknown-records', 'unknown records are not found', 3, (target) => {
  const named = target.description.operations.filter(({ path }) => path.includes('{'));
  return fc.oneof(...named.map((operation) => unknownRecord(operation, target)));
});

function unknownRecord(operation: Operation, target: Target): fc.Arbitrary<Refusal> {
  const { method, path } = operation;
  const parameters = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const nobody = fc.oneof(
    fc.constantFrom(...NEARLY_IDS).map(encodeURIComponent),
    fc.uuid().map(encodeURIComponent),
    fc
      .array(pieces, { minLength: 1, maxLength: 8 })
      .map((all) => all.join(''))
      .filter((text) => !text.startsWith('/'))
      .map(encodeURIComponent),
    fc.constantFrom(...BROKEN_ENCODINGS),
  );
  return fc
    .tuple(fc.constantFrom(...parameters), nobody, goodRequest(operation, target))
    .map(([parameter, name, rest]) => {
      const isBroken = BROKEN_ENCODINGS.includes(name);
      return {
        why: `${parameter} that is ${name}`,
        sent: { method, path: placeOf(path.replace(parameter, name), target.fixture).path, ...rest },
        statuses: [isBroken ? 400 : 404],
        codes: [isBroken ? 'INVALID_PARAMETER' : 'NOT_FOUND'],
      };
    });
}

/** A part of one shipment under another one. */
export const wrongParents = refusals('wrong-parents', 'nothing is found under a wrong parent', 2, (target) => {
  const operations = target.description.operations.filter(({ path }) => path.includes('{addressID}'));
  const { other } = target.fixture;
  return fc.oneof(
    ...operations.map((operation) =>
      fc.tuple(goodRequest(operation, target), fc.constantFrom(other.id, other.moveID)).map(([rest, parent]) => ({
        why: 'an address of another shipment',
        sent: {
          method: operation.method,
          path: placeOf(operation.path.replace('{shipmentID}', parent), target.fixture).path,
          ...rest,
        },
        statuses: [404],
        codes: ['NOT_FOUND'],
      })),
    ),
  );
});
