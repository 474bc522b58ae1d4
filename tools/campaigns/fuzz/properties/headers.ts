import fc from 'fast-check';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import type { Target } from '../target.js';
import { isProblem, refusals, type Refusal } from './refusals.js';
import { goodRequest } from './urls.js';

/** A header that is changed, left out when undefined, and what becomes of the request. */
type Change = readonly [name: string, value: string | undefined, status: number, code: string];

const printable = fc.string({ unit: fc.constantFrom(...'abcXYZ019*"\'\\,;:/W=-_ {}()<>@'), maxLength: 20 });
const eTags = fc.stringMatching(/^[0-9a-f]{64}$/);

/** Requests that are good but for one header. */
export const faultyHeaders = refusals({
  name: 'faulty-headers',
  check: 'invalid headers are refused',
  runs: 4,
  covers: (goal) =>
    isProblem(
      goal,
      'NOT_ACCEPTABLE',
      'INVALID_HEADER',
      'PRECONDITION_FAILED',
      'PRECONDITION_REQUIRED',
      'UNSUPPORTED_MEDIA_TYPE',
    ),
  kinds: (target) =>
    target.description.operations.flatMap((operation) => {
      const place = placeOf(operation.path, target.fixture);
      return changesOf(operation, target, place.eTag).map((changes) => faultyHeader(operation, target, changes));
    }),
});

function faultyHeader(operation: Operation, target: Target, changes: fc.Arbitrary<Change>): fc.Arbitrary<Refusal> {
  const { method, path } = operation;
  return fc.tuple(changes, goodRequest(operation, target)).map(([[name, value, status, code], good]) => {
    const { [name]: _, ...others } = good.headers as Record<string, string>;
    return {
      why: `${name}: ${value ?? 'missing'}`,
      sent: {
        ...good,
        method,
        path: placeOf(path, target.fixture).path,
        headers: value === undefined ? others : { ...others, [name]: value },
      },
      statuses: [status],
      codes: [code],
    };
  });
}

function changesOf({ method, body, parameters }: Operation, target: Target, eTag: string): fc.Arbitrary<Change>[] {
  const taken = new Map(parameters.filter((one) => one.in === 'header').map((one) => [one.name, one]));
  const change = (name: string, values: fc.Arbitrary<string | undefined>, status: number, code: string) =>
    values.map((value): Change => [name, value, status, code]);
  const misfits = (name: string) =>
    printable.filter((text) => {
      // HTTP takes blanks at the ends away, and a list may have empty elements.
      const value = text.trim();
      return (
        !/^[\s,]*$/.test(value) &&
        !/(^|,)\s*(,|$)/.test(value) &&
        !target.description.isValid(taken.get(name)?.schema ?? {}, value)
      );
    });
  const changes = [
    change('Accept', fc.constantFrom('text/x-none', 'image/*', 'application/xml;q=0.9'), 406, 'NOT_ACCEPTABLE'),
  ];
  const ifMatch = taken.get('If-Match');
  if (ifMatch !== undefined) {
    const stale = fc.oneof(
      eTags,
      eTags.map((tag) => `"${tag}"`),
      fc.constantFrom(`W/"${eTag}"`, '"a", "b"', '', '"'.repeat(2), 'stale', 'undefined', 'null', `W/${eTag}`),
      fc.uuid(),
    );
    changes.push(
      change('If-Match', misfits('If-Match'), 400, 'INVALID_HEADER'),
      change('If-Match', stale, 412, 'PRECONDITION_FAILED'),
    );
    if (ifMatch.required) changes.push(change('If-Match', fc.constant(undefined), 428, 'PRECONDITION_REQUIRED'));
  }
  if (taken.has('Idempotency-Key')) {
    const bad = fc.oneof(misfits('Idempotency-Key'), fc.constantFrom('', '""', 'x'.repeat(256), 'a b', 'é'));
    changes.push(change('Idempotency-Key', bad, 400, 'INVALID_HEADER'));
    const excluded = method === 'POST' ? fc.constant('*') : fc.constantFrom('*', eTag, `"${eTag}"`, `W/"${eTag}"`);
    changes.push(change('If-None-Match', excluded, 412, 'PRECONDITION_FAILED'));
  }
  if (body !== undefined) {
    const types = fc.constantFrom(
      undefined,
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      '*/*',
      'json',
      '',
    );
    changes.push(change('Content-Type', types, 415, 'UNSUPPORTED_MEDIA_TYPE'));
    changes.push(change('Content-Encoding', fc.constantFrom('zstd', 'x', 'gzip, gzip'), 415, 'UNSUPPORTED_MEDIA_TYPE'));
    changes.push(change('Content-Encoding', fc.constantFrom('gzip', 'deflate', 'br'), 400, 'MALFORMED_JSON'));
  }
  return changes;
}
