import fc from 'fast-check';
import type { Answer } from '../wire.js';
import { patternOf, type Description } from '../description.js';
import { placeOf } from '../fixture.js';
import { pieces } from '../generate/texts.js';
import { refusals, type Refusal } from './refusals.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK', 'REPORT'];

/** Methods that a path does not take, with and without a body. */
export const otherMethods = refusals({
  name: 'other-methods',
  check: 'other methods are not allowed',
  runs: 3,
  covers: () => false,
  kinds: ({ description, fixture }) => {
    const cases = [...description.paths].flatMap(([path, methods]) => {
      const allowed = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
      const others = METHODS.filter((method) => !allowed.includes(method));
      return others.map((method): Refusal => ({
        why: `${method} ${path}`,
        sent: { method, path: placeOf(path, fixture).path },
        statuses: [405],
        codes: method === 'HEAD' ? undefined : ['METHOD_NOT_ALLOWED'],
        also: (answer) => allowFault(answer, allowed),
      }));
    });
    const options = [...description.paths].map(([path, methods]): Refusal => {
      const allowed = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
      return {
        why: `OPTIONS ${path}`,
        sent: { method: 'OPTIONS', path: placeOf(path, fixture).path },
        statuses: [204],
        also: (answer) => allowFault(answer, allowed),
      };
    });
    return [...cases, ...options].map((one) => fc.constant(one));
  },
});

function allowFault({ headers }: Answer, allowed: readonly string[]): string | undefined {
  const allow = headers.get('Allow');
  if (allow !== allowed.join(', ')) return `Allow is ${allow} instead of ${allowed.join(', ')}`;
  const patches = headers.get('Accept-Patch') !== null;
  return patches === allowed.includes('PATCH')
    ? undefined
    : 'Accept-Patch is there without PATCH, or the other way round';
}

const SEGMENTS = [
  'v1',
  'v2',
  'V1',
  'prime',
  'moves',
  'Moves',
  'shipments',
  'agents',
  'services',
  'mto-shipment',
  'history',
  '..',
  '.',
];

/** Paths that the document does not have. */
export const unknownPaths = refusals({
  name: 'unknown-paths',
  check: 'unknown paths are not found',
  runs: 2,
  covers: () => false,
  kinds: ({ description }) => METHODS.map((method) => unknownPath(method, description)),
});

function unknownPath(method: string, description: Description): fc.Arbitrary<Refusal> {
  const known = [...description.paths.keys()].map(patternOf);
  const segment = fc.oneof(
    fc.constantFrom(...SEGMENTS),
    fc.array(pieces, { minLength: 1, maxLength: 4 }).map((all) => encodeURIComponent(all.join(''))),
  );
  return fc
    .array(segment, { minLength: 1, maxLength: 5 })
    .map((segments) => `/${segments.join('/')}`)
    .filter((path) => !known.some((pattern) => pattern.test(path)) && !/^\/(docs|metrics)/.test(path))
    .map((path) => ({
      why: 'an unknown path',
      sent: { method, path },
      statuses: [404],
      codes: method === 'HEAD' ? undefined : ['NOT_FOUND'],
    }));
}
