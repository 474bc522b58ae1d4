import type { Event, NewWebhook } from '@waybill/client';
import type { Receipt } from './receivers.js';

/** The filters of a webhook, judged here a second time, without the SQL of the service. */
export function wants({ types, moveID, resourceID }: Partial<NewWebhook>, { type, data }: Event): boolean {
  return (
    (types ? types.includes(type) : data.resource !== 'webhook') &&
    (!moveID || data.moveID === moveID) &&
    (!resourceID || data.resourceID === resourceID || data.shipmentID === resourceID)
  );
}

/** The faults in the receipts of one webhook. */
export function faultsOf(name: string, expected: readonly Event[], receipts: readonly Receipt[]): string[] {
  const got = new Set(receipts.map(({ sequence }) => sequence));
  const wanted = new Set(expected.map(({ sequence }) => Number(sequence)));
  const missing = [...wanted].filter((sequence) => !got.has(sequence));
  const surplus = [...got].filter((sequence) => !wanted.has(sequence));
  return [
    ...missing.map((sequence) => `${name} lost event ${sequence}`),
    ...surplus.map((sequence) => `${name} got event ${sequence}, which its filter does not match`),
    ...disorder(name, receipts),
    ...otherIDs(name, receipts),
  ];
}

/** Per record, the first success of each event must come in the order of the events. */
function disorder(name: string, receipts: readonly Receipt[]): string[] {
  const faults: string[] = [];
  const seen = new Set<number>();
  const last = new Map<string, number>();
  for (const { sequence, recordID } of receipts) {
    if (seen.has(sequence)) continue;
    seen.add(sequence);
    const before = last.get(recordID) ?? 0;
    if (sequence < before) faults.push(`${name} got event ${sequence} of ${recordID} after event ${before}`);
    last.set(recordID, Math.max(sequence, before));
  }
  return faults;
}

function otherIDs(name: string, receipts: readonly Receipt[]): string[] {
  const ids = new Map<number, string>();
  return receipts.flatMap(({ sequence, id }) => {
    const first = ids.get(sequence) ?? id;
    ids.set(sequence, first);
    return first === id ? [] : [`${name} got event ${sequence} with the ids ${first} and ${id}`];
  });
}
