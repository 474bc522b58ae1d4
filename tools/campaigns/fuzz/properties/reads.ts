import fc from 'fast-check';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { validQueries, written, type Pairs } from '../generate/queries.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';

interface Reading {
  readonly operation: Operation;
  readonly headers: Readonly<Record<string, string>>;
  readonly pairs: Pairs;
  readonly status: 200 | 304;
  /** The media type of the answer; undefined when there is none. */
  readonly type: string | undefined;
}

function readings({ description, fixture }: Target): fc.Arbitrary<Reading>[] {
  return description.operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) => {
      const { eTag } = placeOf(operation.path, fixture);
      const types = operation.answers.find(({ status }) => status === 200)?.mediaTypes ?? [];
      const reading = { operation, headers: {}, pairs: [] as Pairs, status: 200, type: 'application/json' } as const;
      const made: fc.Arbitrary<Reading>[] = types.map((type) =>
        fc.constant({ ...reading, headers: { Accept: type }, type }),
      );
      const hasHeader = (name: string) => operation.parameters.some((parameter) => parameter.name === name);
      if (hasHeader('If-Match')) {
        const forms = fc.constantFrom(eTag, `"${eTag}"`, '*', `"x", "${eTag}"`);
        made.push(forms.map((form) => ({ ...reading, headers: { 'If-Match': form } })));
      }
      if (hasHeader('If-None-Match')) {
        const forms = fc.constantFrom(`"${eTag}"`, `W/"${eTag}"`, '*', `"x", "${eTag}"`);
        const known = { ...reading, status: 304, type: undefined } as const;
        made.push(forms.map((form) => ({ ...known, headers: { 'If-None-Match': form } })));
      }
      const queries = hasHeader('limit') ? [] : validQueries(description, operation, { version: [eTag] });
      return [...made, ...queries.map((query) => query.map((pairs) => ({ ...reading, pairs })))];
    });
}

/** Every read gets the requested media type and version, under the requested condition. */
export const reads = batches({
  name: 'reads',
  runs: 1,
  covers: ({ kind, operation, outcome, name }) =>
    operation.method === 'GET' &&
    !(kind === 'query parameter' && operation.parameters.some((parameter) => parameter.name === 'limit')) &&
    (outcome === 'accepted' || (kind === 'answer' && /^[23]/.test(name))),
  kinds: readings,
  holds: async ({ operation, headers, pairs, status, type }, { client, fixture }) => {
    const path = placeOf(operation.path, fixture).path + written(pairs);
    const answer = await client.send({ method: 'GET', path, headers });
    client.expect('what can be read is read', answer, answer.status === status, `${status} expected`);
    const found = answer.headers.get('Content-Type')?.split(';', 1)[0];
    client.expect('the answer has the type that was asked for', answer, found === type, `not ${type}`);
  },
});
