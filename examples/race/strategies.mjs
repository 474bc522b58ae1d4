import { isProblem, reapply } from '@waybill/client';

export const WRITERS = 16;
export const ENTRIES = 50;

/** Remarks take 2000 characters, so an entry has two: who wrote it, and which of his it is. */
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function entryOf(writer, turn) {
  return SIGNS[writer] + SIGNS[turn];
}

/** How many different entries a shipment has. */
export function entriesIn({ customerRemarks }) {
  return new Set((customerRemarks ?? '').match(/../g)).size;
}

function withEntry(entry) {
  return ({ customerRemarks }) => ({ customerRemarks: (customerRemarks ?? '') + entry });
}

/** Three ways to add an entry. Each answers whether its writer believes that it is stored. */
export const STRATEGIES = [
  {
    title: 'update',
    explanation:
      'the client reads, writes with If-Match, and after a 412 makes the change again for what the others wrote',
    add: (shipments, id) => async (entry) => {
      await shipments.update(id, withEntry(entry), { onConflict: reapply });
      return true;
    },
  },
  {
    title: 'give up at 412',
    explanation:
      'reads and writes with If-Match, but does not repeat what was refused: lost, though its writer is told',
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
      'writes its own text whatever version there is (If-Match: *): every write is accepted, and overwrites the others unseen',
    add: (shipments, id) => async (entry) => {
      const shipment = await shipments.get(id);
      await shipments.patch(id, withEntry(entry)(shipment), { ifMatch: '*' });
      return true;
    },
  },
];
