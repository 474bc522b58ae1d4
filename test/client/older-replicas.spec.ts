import { ConflictError, WaybillClient } from '../../client/src/waybill.js';

/*
 * During a rollout, a replica of the version before may answer. Its 412 reports conflicts field by field, also within an address.
 */

const ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';
const ADDRESS = { id: 'a', streetAddress1: '1 Oak St', streetAddress2: null, city: 'Dallas', state: 'TX', eTag: 'v1' };
const seen = { id: ID, eTag: 'v1', updatedAt: '2027-01-01T00:00:00.000Z', pickupAddress: ADDRESS };
const mine = { pickupAddress: { city: 'Austin' } };

/** What an older replica reports. */
function stale(changes: readonly object[]): object {
  return { status: 412, code: 'PRECONDITION_FAILED', detail: '', currentETag: 'v2', changes };
}
const beside = { field: 'pickupAddress/streetAddress1', base: '1 Oak St', current: '9 Elm St', conflicting: false };
const same = { field: 'pickupAddress/city', base: 'Dallas', yours: 'Austin', current: 'Austin', conflicting: false };
const elsewhere = { field: 'destinationAddress/city', base: 'Waco', current: 'Houston', conflicting: false };

function clientThatMeets(...changes: readonly object[]) {
  const written: unknown[] = [];
  const answer = (init: RequestInit): Response => {
    const sent = JSON.parse(init.body as string) as { items?: readonly object[] };
    written.push(sent);
    const isFirst = written.length === 1;
    const status = isFirst ? 412 : 200;
    const body = isFirst ? stale(changes) : { ...seen, eTag: 'v3' };
    if (sent.items !== undefined) {
      return Response.json({ items: [isFirst ? { status, problem: body } : { status, shipment: body }] });
    }
    const headers = { 'Content-Type': `application/${isFirst ? 'problem+' : ''}json` };
    return new Response(JSON.stringify(body), { status, headers });
  };
  const client = new WaybillClient({ baseUrl: 'http://service', fetch: (_, init) => Promise.resolve(answer(init)) });
  return { written, shipments: client.shipments };
}
const shipment = { ...seen, destinationAddress: { ...ADDRESS, city: 'Waco' } } as never;

describe('an older replica', () => {
  test('leads to no address that nobody wrote', async () => {
    const { shipments, written } = clientThatMeets(beside);
    await expect(shipments.update(shipment, mine)).rejects.toBeInstanceOf(ConflictError);
    expect(written).toHaveLength(1);
  });

  test('leads to no address that nobody wrote among many shipments', async () => {
    const { shipments, written } = clientThatMeets(beside);
    const { refused } = await shipments.updateMany([shipment], mine);
    expect(refused).toMatchObject([{ id: ID, conflict: { mine } }]);
    expect(written).toHaveLength(1);
  });

  test.each([
    ['wrote the same', same],
    ['changed the other address', elsewhere],
    ['added the address again', { ...beside, field: 'pickupAddress/id' }],
  ])('is no reason to ask if others %s', async (_, change) => {
    const { shipments, written } = clientThatMeets(change);
    await expect(shipments.update(shipment, mine)).resolves.toMatchObject({ eTag: 'v3' });
    expect(written).toHaveLength(2);
  });
});
