import { Database } from '../../src/database/database.js';
import { poolOf } from '../../src/database/internals/typeorm-data-source.js';
import { MAX_PREPARED } from '../../src/database/internals/batch.js';
import type { Json } from '../support/http/api.js';
import { createShipment } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { startService, type TestService } from '../support/service/service.js';

const FIELDS = {
  shipmentType: 'HHG',
  pickupDate: '2026-01-01',
  deliveryDate: '2026-01-02',
  estimatedWeight: 1,
  actualWeight: 2,
  customerRemarks: 'x',
  pickupAddress: null,
};
const FILTERS = {
  status: 'SUBMITTED',
  shipmentType: 'HHG',
  deliveryDateFrom: '2026-01-01',
  deliveryDateTo: '2027-01-01',
  moveID: '',
};
const EXPANSIONS = subsets(['services', 'move']);

function subsets<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((all, item) => [...all, ...all.map((subset) => [...subset, item])], [[]]);
}

interface Prepared {
  readonly name: string;
  readonly statement: string;
  readonly prepared_at: string;
}

let service: TestService;
afterEach(() => service.stop());

/** The prepared statements of each connection in the service's pool. */
async function preparedStatements(connections: number): Promise<Prepared[][]> {
  const pool = poolOf(service.app.get(Database).dataSource);
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  const text = 'SELECT name, statement, prepare_time::text AS prepared_at FROM pg_prepared_statements';
  const answers = await Promise.all(clients.map((client) => client.query<Prepared>(text)));
  for (const client of clients) client.release();
  return answers.map(({ rows }) => rows);
}

/** Every way to change and to list shipments that differs in its SQL, in no particular order. */
function combinations({ id, moveID }: Json): (() => Promise<{ status: number }>)[] {
  const changes = subsets(Object.entries(FIELDS)).map((entries) => Object.fromEntries(entries));
  const filters = subsets(Object.entries({ ...FILTERS, moveID })).map((entries) => Object.fromEntries(entries));
  return EXPANSIONS.flatMap((expand) => [
    ...changes.map((body) => () => service.api.patch(`/v1/shipments/${id}${queryOf({ expand })}`, '*', body)),
    ...filters.map((filter) => () => service.api.get(`/v1/shipments${queryOf({ ...filter, expand })}`)),
  ]);
}

function queryOf({ expand, ...others }: Record<string, string | string[]>): string {
  const parameters = { ...others, ...(expand?.length && { expand }) };
  return `?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&')}`;
}

const isHot = ({ statement }: Prepared) =>
  /FROM shipments r WHERE r.id = \$1$/.test(statement) && !statement.includes('services');

/** Behind the pooler of the specs no statement has a name. */
const describeUnpooled = process.env['TEST_POOLER_URL'] === undefined ? describe : describe.skip;

describeUnpooled.each(shareOf([1, 3], 0, 2))('in a pool of %i', (connections) => {
  test('every combination is answered, a name stands for one text, and few are kept, while one in use stays prepared and a late one is prepared, too', async () => {
    service = await startService({ POOL_SIZE: String(connections) });
    const shipment = await createShipment(service.api);
    const read = () => service.api.get(`/v1/shipments/${shipment.id}`);
    const all = shareOf(combinations(shipment), 0, 2);
    expect(all.length).toBeGreaterThan(1.5 * MAX_PREPARED);
    await Promise.all(Array.from({ length: 24 }, read));
    const [before] = await preparedStatements(1);
    const statuses = new Set<number>();
    const texts = new Map<string, string>();
    for (let start = 0; start < all.length; start += 8) {
      // Reads share a connection, so these are on their way at the same time as what closes statements.
      const answers = await Promise.all([read(), ...all.slice(start, start + 8).map((send) => send()), read()]);
      for (const { status } of answers) statuses.add(status);
      if (start % 64 !== 0) continue;
      for (const { name, statement } of (await preparedStatements(connections)).flat()) {
        expect(texts.get(name) ?? statement).toBe(statement);
        texts.set(name, statement);
      }
    }
    expect([...statuses]).toEqual([200]);
    expect(texts.size).toBeGreaterThan(MAX_PREPARED);
    const after = await preparedStatements(connections);
    for (const statements of after) expect(statements.length).toBeLessThanOrEqual(MAX_PREPARED + 8);
    for (const statements of after) expect(statements.length).toBeGreaterThan(MAX_PREPARED / 2);
    const hot = before?.find(isHot);
    expect(hot).toBeDefined();
    expect(after.flat()).toContainEqual(hot);

    const late = () => service.api.patch(`/v1/shipments/${shipment.id}?expand=move,agents`, '*', FIELDS);
    expect([(await late()).status, (await late()).status]).toEqual([200, 200]);
    const known = new Set(after.flat().map(({ name }) => name));
    const added = (await preparedStatements(connections)).flat().filter(({ name }) => !known.has(name));
    expect(added.map(({ statement }) => statement.trim().split(' ')[0])).toContain('UPDATE');
  });
});
