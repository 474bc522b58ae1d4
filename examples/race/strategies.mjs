import { isProblem, reapply } from '@waybill/client';

export const WRITERS = 16;
export const ENTRIES = 8;

/** Remarks are limited to 2000 characters, so an entry has two: its writer and its number. */
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function entryOf(writer, turn) {
  return SIGNS[writer] + SIGNS[turn];
}

/** The number of distinct entries in a shipment. */
export function entriesIn({ customerRemarks }) {
  return new Set((customerRemarks ?? '').match(/../g)).size;
}

function withEntry(entry) {
  return ({ customerRemarks }) => ({ customerRemarks: (customerRemarks ?? '') + entry });
}

/** Three ways to add an entry. Each returns whether the writer believes that it is stored. */
export const STRATEGIES = [
  {
    title: 'update',
    explanation: 'reads, writes with If-Match, and after a 412 applies the change to the new version',
    add: (shipments, id) => async (entry) => {
      await shipments.update(id, withEntry(entry), { onConflict: reapply });
      return true;
    },
  },
  {
    title: 'give up at 412',
    explanation: 'reads and writes with If-Match, but gives up after a 412: the entry is lost, but its writer knows',
    add: (shipments, id) => async (entry) => {
      const shipment = await shipments.get(id);
      try {
        await shipments.patch(id, withEntry(entry)(shipment), { ifMatch: shipment.eTag });
        return true;
      } catch (error) {
        if (isProblem(error, 'PRECONDITION_FAILED')) return false;
        throw error;
      }
    },
  },
  {
    title: 'last write wins',
    explanation:
      'writes whatever the current version is (If-Match: *): every write is accepted and overwrites unseen changes',
    add: (shipments, id) => async (entry) => {
      const shipment = await shipments.get(id);
      await shipments.patch(id, withEntry(entry)(shipment), { ifMatch: '*' });
      return true;
    },
  },
];
