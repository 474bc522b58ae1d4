// Not through PgBouncer: it only reads, with statements that other specs send through it.
import { cursorOf } from '../../src/records/paging.js';
import type { Json } from '../support/http/api.js';
import { nextOf, walk } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** Five shipments of one move, two of them on the same day and one without a day; the first one was changed last. */
let path: string;
let names: Map<string, string>;
beforeAll(async () => {
  const { id: moveID } = await createMove(service.api);
  path = `/v1/shipments?moveID=${moveID}`;
  names = new Map();
  for (const [name, deliveryDate] of [
    ['a', '2026-03-01'],
    ['b', null],
    ['c', '2026-01-01'],
    ['d', '2026-02-01'],
    ['e', '2026-02-01'],
  ] as const) {
    names.set((await createShipment(service.api, { moveID, deliveryDate })).id, name);
  }
  const [first = ''] = names.keys();
  await service.api.patch(`/v1/shipments/${first}`, '*', { customerRemarks: 'changed last' });
});

/** filtered-pages.spec.ts has all others, with all filters. */
const ORDERS = [
  ['', 'edcba'],
  ['&sort=createdAt', 'abcde'],
  ['&sort=-updatedAt', 'aedcb'],
  ['&sort=deliveryDate', 'cdeab'],
  ['&sort=-deliveryDate', 'baedc'],
  ['&updatedSince=2020-01-01T00:00:00Z', 'bcdea'],
  ['&deliveryDateFrom=2026-01-15&deliveryDateTo=2026-02-15', 'de'],
] as const;

test.each(ORDERS)('shipments%s come as %s, however many a page has', async (query, expected) => {
  for (const limit of [1, 2, 50]) {
    const pages = await walk(service.api, `${path}${query}&limit=${limit}`);
    expect(pages.flat().map(({ id }) => names.get(id))).toEqual([...expected]);
  }
});

describe('what does not go together is refused with what does', () => {
  const SINCE = 'updatedSince=2026-01-01T00:00:00Z';
  test.each([
    [`/v1/shipments?${SINCE}&sort=createdAt`, '?sort must be updatedAt or -updatedAt together with updatedSince'],
    [`/v1/shipments?${SINCE}&sort=-deliveryDate`, '?sort must be updatedAt or -updatedAt together with updatedSince'],
    [`/v1/moves?${SINCE}&sort=-createdAt`, '?sort must be updatedAt or -updatedAt together with updatedSince'],
    [
      '/v1/shipments?deliveryDateTo=2026-01-01&sort=updatedAt',
      '?sort must be deliveryDate or -deliveryDate together with deliveryDateTo',
    ],
    [
      `/v1/shipments?deliveryDateFrom=2026-01-01&${SINCE}`,
      '?deliveryDateFrom cannot be combined with updatedSince; a list supports a range over one field, by which it is sorted',
    ],
    [
      `/v1/shipments?${SINCE}&deliveryDateTo=2026-01-01&sort=deliveryDate`,
      '?deliveryDateTo cannot be combined with updatedSince; a list supports a range over one field, by which it is sorted',
    ],
    ['/v1/moves?sort=deliveryDate', '?sort must be one of createdAt, -createdAt, updatedAt, -updatedAt'],
  ])('%s', async (refused, reason) => {
    const { body } = await service.api.get(refused);
    expect(body).toMatchObject({ status: 400, code: 'INVALID_PARAMETER', detail: `The parameter ${reason}.` });
  });
});

describe('a cursor', () => {
  test('is valid only for the sort order it was issued for', async () => {
    const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'deliveryDate', '-deliveryDate'];
    for (const made of sorts) {
      const next = nextOf((await service.api.get(`${path}&sort=${made}&limit=1`)).headers) ?? '';
      for (const sort of sorts) {
        const answer = await service.api.get(next.replace(`sort=${made}`, `sort=${sort}`));
        expect([made, sort, answer.status]).toEqual([made, sort, made === sort ? 200 : 400]);
        if (made === sort) continue;
        const reason = `was issued for a list sorted by ${made}, but this one is sorted by ${sort}`;
        expect(answer.body.detail).toBe(`The parameter ?cursor ${reason}; omit it to start at the first page.`);
      }
    }
  });

  test.each([
    ['an id, as cursors were before lists could be sorted', UNKNOWN_ID],
    ['a key without its id', 'updatedAt 2026-01-01T00:00:00Z'],
    ['a value that is none', `deliveryDate 2026-02-30 ${UNKNOWN_ID}`],
    ['a moment that is none', `updatedAt infinity ${UNKNOWN_ID}`],
    ['a value too many', `-createdAt 2026-01-01 ${UNKNOWN_ID}`],
    ['an order that the list does not have', `-remarks ${UNKNOWN_ID}`],
    ['the name of something that every object has', `constructor ${UNKNOWN_ID}`],
  ])('that packs %s is refused with what to do', async (_, text) => {
    const lists = ['/v1/shipments', '/v1/moves', `/v1/shipments/${UNKNOWN_ID}/agents`];
    for (const list of lists) {
      const answer = await service.api.get(`${list}?cursor=${cursorOf(text)}`);
      expectProblem(answer, 400, 'INVALID_PARAMETER');
      expect(answer.body.detail).toBe(
        'The parameter ?cursor must be a cursor from the Link header of an earlier page of this list; omit it to start at the first page.',
      );
    }
  });

  test('does not lead out of the range that is asked for', async () => {
    const early = cursorOf(`deliveryDate 2026-01-01 ${UNKNOWN_ID}`);
    const { body } = await service.api.get(`${path}&deliveryDateFrom=2026-03-01&cursor=${early}`);
    expect(body.map(({ id }: Json) => names.get(id))).toEqual(['a']);
  });
});

test('whoever reads the changes since a moment to the end has the newest version of each record, also of those changed meanwhile', async () => {
  const moves: Json[] = [];
  for (let n = 0; n < 7; n += 1) moves.push(await createMove(service.api));
  const [first, second] = moves as [Json, Json];
  let changes = 0;
  const pages = await walk(service.api, `/v1/moves?limit=2&updatedSince=${first.updatedAt}`, async () => {
    // One that was read already, and one that was not; then the list comes to its end.
    for (const { id } of changes < 4 ? [second, moves[6 - changes]] : []) {
      expect((await service.api.patch(`/v1/moves/${id}`, '*', { remarks: String((changes += 1)) })).status).toBe(200);
    }
  });
  const seen = new Map(pages.flat().map((move) => [move.id, move]));
  expect(seen.size).toBe(moves.length);
  expect(pages.flat().length).toBeGreaterThan(moves.length);
  for (const move of seen.values()) expect(move).toEqual((await service.api.get(`/v1/moves/${move.id}`)).body);
});
