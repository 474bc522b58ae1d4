import { reapply, WaybillClient } from '../../client/src/waybill.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/** Some thousand requests, on a machine that may have other things to do. */
const PATIENCE_MS = 300_000;

const WRITERS = 16;
const ENTRIES = repetitions(20, 3);
/**
 * A read and a write for each entry, and the writes that came too late, about half as many as entries. Clients that tried again at once
 * would be too late most of the time: each write that is accepted would refuse up to 15 others.
 */
const MAX_REQUESTS = 8 * WRITERS * ENTRIES;
/** Remarks take 2000 characters, so each of up to 320 entries has two: one for the writer, one for its turn. */
const SIGNS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

function entryOf(writer: number, turn: number): string {
  return `${SIGNS[writer]}${SIGNS[turn]}`;
}

const service = useService({ POOL_SIZE: '8' });

test(
  '16 clients that each add entries to the remarks of one shipment lose none, with few requests, and no call fails',
  async () => {
    let requests = 0;
    const counting = (url: string, init: RequestInit) => {
      requests += 1;
      return fetch(url, init);
    };
    const { id } = await new WaybillClient({ baseUrl: service.url }).shipments.create({ shipmentType: 'HHG' });
    const write = async (writer: number) => {
      const { shipments } = new WaybillClient({ baseUrl: service.url, fetch: counting });
      for (let turn = 0; turn < ENTRIES; turn += 1) {
        const add = ({ customerRemarks }: { customerRemarks: string | null }) => ({
          customerRemarks: `${customerRemarks ?? ''}${entryOf(writer, turn)}`,
        });
        await shipments.update(id, add, { onConflict: reapply });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    const { body } = await service.api.get(`/v1/shipments/${id}`);
    const found = body.customerRemarks.match(/../g);
    const wanted = Array.from({ length: WRITERS * ENTRIES }, (_, n) => entryOf(Math.floor(n / ENTRIES), n % ENTRIES));
    expect(found).toHaveLength(WRITERS * ENTRIES);
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(requests).toBeLessThan(MAX_REQUESTS);
  },
  PATIENCE_MS,
);
