import fc from 'fast-check';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';
import { refusals, type Refusal } from './refusals.js';
import { goodRequest } from './urls.js';

function guardedOperations({ description }: Target): (Operation & { scope: string })[] {
  return description.operations.filter((operation) => operation.scope !== undefined) as never;
}

/** Nobody gets past authentication, whatever the request. */
export const strangers = refusals('strangers', 'authentication cannot be passed by', 3, (target) => {
  const { refused, without } = target.tokens;
  return fc.oneof(
    ...guardedOperations(target).map((operation) => {
      const { method, path, scope } = operation;
      const authorizations = fc.oneof(
        fc.constantFrom(undefined, ...refused).map((value) => [value, 401, 'UNAUTHENTICATED'] as const),
        fc.constant([without.get(scope), 403, 'FORBIDDEN'] as const),
      );
      return fc.tuple(authorizations, goodRequest(operation, target)).map(([[value, status, code], good]): Refusal => ({
        why: `Authorization: ${value ?? 'missing'}`,
        sent: {
          ...good,
          method,
          path: placeOf(path, target.fixture).path,
          headers: { ...good.headers, ...(value !== undefined && { Authorization: value }) },
        },
        statuses: [status],
        codes: [code],
        guarded: true,
        also: ({ body, headers }) => {
          if (headers.get('WWW-Authenticate') === null) return 'no WWW-Authenticate';
          return status === 403 && body.missingScope !== scope ? `missingScope is not ${scope}` : undefined;
        },
      }));
    }),
  );
});

/** Who has the scope gets an answer. */
export const callers = batches(
  'callers',
  1,
  (target) => fc.constantFrom(...guardedOperations(target).filter(({ method }) => method === 'GET')),
  async ({ method, path }, { guarded, fixture, tokens }) => {
    const headers = { Authorization: tokens.withAll };
    const answer = await guarded.send({ method, path: placeOf(path, fixture).path, headers });
    guarded.expect('who may is let in', answer, answer.status === 200, 'not let in');
  },
);
