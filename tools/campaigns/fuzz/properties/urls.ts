import fc from 'fast-check';
import { json } from '../client.js';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { faultyQueries, written } from '../generate/queries.js';
import { pieces } from '../generate/texts.js';
import { valid } from '../generate/valid.js';
import type { Target } from '../target.js';
import { isProblem, refusals, type Refusal } from './refusals.js';

/** A body and an If-Match that the operation would take, so that only the URL is at fault. */
export function goodRequest({ path, parameters, body }: Operation, { description, fixture }: Target) {
  const { eTag } = placeOf(path, fixture);
  const isConditional = parameters.some(({ name, required }) => name === 'If-Match' && required);
  const headers = isConditional ? { 'If-Match': eTag } : {};
  const bodies = body === undefined ? fc.constant(undefined) : valid(description, body);
  return bodies.map((value) => (value === undefined ? { headers } : json(value, headers)));
}

/** Queries with one fault each, also where no query is taken. */
export const faultyURLs = refusals({
  name: 'faulty-queries',
  check: 'invalid parameters are refused',
  runs: 4,
  covers: (goal) =>
    (goal.kind === 'query parameter' && goal.outcome === 'at fault') ||
    isProblem(goal, 'INVALID_PARAMETER', 'CREDENTIAL_IN_URL', 'URI_TOO_LONG'),
  kinds: (target) => target.description.operations.flatMap((operation) => faultyURLsOf(operation, target)),
});

/** Longer than any URL that is read, shorter than what the HTTP parser takes. */
const LONG = 'x'.repeat(9000);
const CREDENTIALS = ['access_token', 'token', 'authorization', 'api_key'];

function faultyURLsOf(operation: Operation, target: Target): fc.Arbitrary<Refusal>[] {
  const { method, path } = operation;
  const place = placeOf(path, target.fixture).path;
  const rest = goodRequest(operation, target);
  const faulty = faultyQueries(target.description, operation).map((queries) =>
    fc.tuple(queries, rest).map(([{ pairs, name, fault }, good]) => ({
      why: `${fault} of ?${name}`,
      sent: { method, path: place + written(pairs), ...good },
      statuses: [400],
      codes: ['INVALID_PARAMETER'],
      pointer: `?${name}`,
    })),
  );
  const credentials = fc.tuple(fc.constantFrom(...CREDENTIALS), rest).map(([name, good]) => ({
    why: `a credential in the URL, ?${name}`,
    sent: { method, path: `${place}?${name}=secret`, ...good },
    statuses: [400],
    codes: ['CREDENTIAL_IN_URL'],
  }));
  const long = rest.map((good) => ({
    why: 'a URL that is too long',
    sent: { method, path: `${place}?x=${LONG}`, ...good },
    statuses: [414],
    codes: ['URI_TOO_LONG'],
  }));
  return [...faulty, credentials, long];
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
export const unknownRecords = refusals({
  name: 'unknown-records',
  check: 'unknown records are not found',
  runs: 3,
  covers: (goal) => isProblem(goal, 'NOT_FOUND'),
  kinds: (target) =>
    target.description.operations.flatMap((operation) => {
      const parameters = [...operation.path.matchAll(/\{\w+\}/g)].map(([name]) => name);
      return parameters.flatMap((parameter) => unknownNames(operation, parameter, target));
    }),
});

function unknownNames(operation: Operation, parameter: string, target: Target): fc.Arbitrary<Refusal>[] {
  const { method, path } = operation;
  const nobody = fc.oneof(
    fc.constantFrom(...NEARLY_IDS).map(encodeURIComponent),
    fc.uuid().map(encodeURIComponent),
    fc
      .array(pieces, { minLength: 1, maxLength: 8 })
      .map((all) => all.join(''))
      .filter((text) => !text.startsWith('/'))
      .map(encodeURIComponent),
  );
  const refused = (names: fc.Arbitrary<string>, status: number, code: string) =>
    fc.tuple(names, goodRequest(operation, target)).map(([name, rest]) => ({
      why: `${parameter} that is ${name}`,
      sent: { method, path: placeOf(path.replace(parameter, name), target.fixture).path, ...rest },
      statuses: [status],
      codes: [code],
    }));
  return [refused(nobody, 404, 'NOT_FOUND'), refused(fc.constantFrom(...BROKEN_ENCODINGS), 400, 'INVALID_PARAMETER')];
}

/** A part of one shipment under another one. */
export const wrongParents = refusals({
  name: 'wrong-parents',
  check: 'nothing is found under a wrong parent',
  runs: 2,
  covers: (goal) => isProblem(goal, 'NOT_FOUND') && goal.operation.path.includes('{addressID}'),
  kinds: (target) => {
    const operations = target.description.operations.filter(({ path }) => path.includes('{addressID}'));
    const { other } = target.fixture;
    return operations.map((operation) =>
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
    );
  },
});
