import { Verification } from '../../tools/campaigns/checker/verification.js';
import type { Answer, Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { walk } from '../support/http/paging.js';
import { RecordedWrites } from '../support/races/race.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { startService, useService, type TestService } from '../support/service/service.js';

const AT_ONCE = repetitions(200, 40);
const WRITERS = repetitions(24, 12);
const TURNS = repetitions(25, 10);

/** The feed tells the versions of the shipment in the order of history, and the changes in it lead to the record as it is. */
async function expectTold(service: TestService, shipment: Json): Promise<void> {
  const path = `/v1/shipments/${shipment.id}`;
  const entries = (await walk(service.api, `${path}/history?limit=200`)).flat().reverse();
  await allNumbered(service.sql);
  const { body: events } = await service.api.get(`/v1/events?limit=1000&resource=shipment`);
  expect(events.map(({ data }: Json) => data.eTag)).toEqual(entries.map(({ eTag }) => eTag));
  const replayed = Object.fromEntries(
    entries.flatMap(({ changes }) => changes.map(({ field, to }: Json) => [field, to])),
  );
  expect(replayed.customerRemarks).toBe((await service.api.get(path)).body.customerRemarks);
}

describe(`one 200 and ${AT_ONCE - 1} times 412 when ${AT_ONCE} requests name the same eTag at once`, () => {
  const service = useService({ POOL_SIZE: '20' });
  const attempts: [string, (shipment: Json, turn: number) => Promise<Answer>][] = [
    ['PATCH', ({ id, eTag }, turn) => service.api.patch(`/v1/shipments/${id}`, eTag, { estimatedWeight: turn + 1 })],
    ['PUT', ({ id, eTag }, turn) => service.api.put(`/v1/shipments/${id}`, eTag, { shipmentType: `T${turn}` })],
    [
      'PUT address',
      ({ id, eTag, destinationAddress }, turn) => {
        const path = `/v1/mto-shipment/${id}/address/${destinationAddress.id}`;
        return service.api.put(path, eTag, { ...ADDRESS, city: `City ${turn}` });
      },
    ],
    [
      'updateStatus',
      ({ id, eTag }) => service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status: 'APPROVED' }),
    ],
  ];

  test.each(attempts)('%s', async (_, attempt) => {
    const shipment = await createShipment(service.api, { destinationAddress: ADDRESS });
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (__, turn) => attempt(shipment, turn)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(AT_ONCE - 1);
  });
});

test.each(['20', '1'])(
  `an unbroken chain of versions when ${WRITERS} writers change one row ${TURNS} times each through a pool of %s`,
  async (poolSize) => {
    const service = await startService({ POOL_SIZE: poolSize });
    const writes = new RecordedWrites(service.api);
    const shipment = await writes.createShipment();
    await writes.race(shipment, WRITERS, TURNS);
    const { ledger } = writes;
    expect(await (await Verification.of(ledger, service.sql)).faults()).toEqual([]);
    expect([...ledger.outcomes.keys()].sort()).toEqual(['PATCH 200', 'PATCH 412', 'POST 201']);
    // Each turn of the writer that never loses succeeds, and the creation did.
    expect(ledger.accepted.length).toBeGreaterThan(TURNS);
    await expectTold(service, shipment);
    await service.stop();
  },
);
