import fc from 'fast-check';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';
import { isProblem, refusals, type Refusal } from './refusals.js';
import { goodRequest } from './urls.js';

function guardedOperations({ description }: Target): (Operation & { scope: string })[] {
  return description.operations.filter((operation) => operation.scope !== undefined) as never;
}

/** Nobody gets past authentication, whatever the request. */
export const strangers = refusals({
  name: 'strangers',
  check: 'authentication cannot be passed by',
  runs: 3,
  covers: (goal) => isProblem(goal, 'UNAUTHENTICATED', 'FORBIDDEN'),
  kinds: (target) => {
    const { refused, without } = target.tokens;
    return guardedOperations(target).flatMap((operation) => [
      stranger(operation, target, fc.constantFrom(undefined, ...refused), 401, 'UNAUTHENTICATED'),
      stranger(operation, target, fc.constant(without.get(operation.scope)), 403, 'FORBIDDEN'),
    ]);
  },
});

function stranger(
  operation: Operation & { scope: string },
  target: Target,
  authorizations: fc.Arbitrary<string | undefined>,
  status: number,
  code: string,
): fc.Arbitrary<Refusal> {
  const { method, path, scope } = operation;
  return fc.tuple(authorizations, goodRequest(operation, target)).map(([value, good]) => ({
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
      const [missing] = scope.split(' ');
      return status === 403 && body.missingScope !== missing ? `missingScope is not ${missing}` : undefined;
    },
  }));
}

function guardedReads(target: Target): Operation[] {
  return guardedOperations(target).filter(({ method }) => method === 'GET');
}

/** A caller with the scope gets a response. */
export const callers = batches({
  name: 'callers',
  runs: 1,
  covers: ({ kind, operation }) => kind === 'operation' && operation.method === 'GET' && operation.scope !== undefined,
  kinds: (target) => guardedReads(target).map((operation) => fc.constant(operation)),
  holds: async ({ method, path }, { guarded, fixture, tokens }) => {
    const headers = { Authorization: tokens.withAll };
    const answer = await guarded.send({ method, path: placeOf(path, fixture).path, headers });
    guarded.expect('who may is let in', answer, answer.status === 200, 'not let in');
  },
});
