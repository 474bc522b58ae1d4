import fc from 'fast-check';
import { matches, matchesSql } from '../../src/events/event-filter.js';
import { useService } from '../support/service/service.js';

const service = useService();

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((digit) => `0199c3a0-8a10-7000-8000-00000000000${digit}`);
const KINDS = ['move', 'shipment', 'agent'];
const types = KINDS.flatMap((kind) => [`${kind}.created`, `${kind}.updated`]);

const id = fc.constantFrom(FIRST, SECOND, THIRD).map(String);
const event = fc.record({
  kind: fc.constantFrom(...KINDS),
  type: fc.constantFrom(...types),
  recordID: id,
  rootID: id,
  moveID: fc.oneof(fc.constant(''), id),
});
const filter = fc.record({
  kinds: fc.option(fc.subarray(KINDS), { nil: undefined }),
  types: fc.option(fc.subarray(types), { nil: undefined }),
  recordID: fc.option(id, { nil: undefined }),
  moveID: fc.option(id, { nil: undefined }),
});

const CONDITION = matchesSql({ kinds: '$2::text[]', types: '$3::text[]', recordID: '$4::uuid', moveID: '$5::uuid' });
const MATCHING = `
  SELECT e.place::int AS place FROM (
    SELECT place, row ->> 'kind' AS kind, row ->> 'type' AS type, (row ->> 'recordID')::uuid AS record_id,
      (row ->> 'rootID')::uuid AS root_id, nullif(row ->> 'moveID', '')::uuid AS move_id
    FROM jsonb_array_elements($1) WITH ORDINALITY AS event (row, place)
  ) e
  WHERE ${CONDITION} ORDER BY e.place`;

it('The condition in SQL finds the events that the filter matches in memory.', async () => {
  const counts = { found: 0, leftOut: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), filter, async (events, wanted) => {
      const values = [JSON.stringify(events), wanted.kinds, wanted.types, wanted.recordID, wanted.moveID];
      const { rows } = await service.sql.query<{ place: number }>(MATCHING, values);
      const expected = events.flatMap((each, index) => (matches(each, wanted) ? [index + 1] : []));
      expect(rows.map(({ place }) => place)).toEqual(expected);
      counts.found += expected.length;
      counts.leftOut += events.length - expected.length;
    }),
    { numRuns: 200 },
  );
  expect(Math.min(counts.found, counts.leftOut)).toBeGreaterThan(100);
});
