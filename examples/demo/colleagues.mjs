import { setTimeout as sleep } from 'node:timers/promises';
import { isProblem, WaybillClient } from '@waybill/client';

const STEPS = {
  SUBMITTED: 'APPROVED',
  APPROVED: 'IN_TRANSIT',
  IN_TRANSIT: 'DELIVERED',
  DIVERSION_REQUESTED: 'APPROVED',
};
const REMARKS = [
  'Two flights of stairs.',
  'The piano stays upright.',
  'Please ring twice at the side door.',
  'The dog is friendly.',
];
const USUAL = ['PRECONDITION_FAILED', 'STATUS_TRANSITION', 'NOT_FOUND', 'VALIDATION_FAILED'];
const PAUSE_MS = 4_000;
/** Interval of changes to the shared shipment: short enough to cause conflicts. */
const RIVAL_PAUSE_MS = 12_000;

/** Makes small changes to open shipments until the signal aborts. */
export function work(name, workplace) {
  const client = clientOf(name, workplace);
  return again(name, workplace, PAUSE_MS, async () => {
    const { items } = await client.shipments.list({ status: Object.keys(STEPS), sort: '-updatedAt', limit: 60 }).page();
    const shipment = pick(items);
    if (shipment !== undefined) await change(client, shipment);
  });
}

/** Keeps changing one shipment, so that users who edit it get conflicts. */
export function getInTheWay(name, id, workplace) {
  const client = clientOf(name, workplace);
  let day = 0;
  return again(name, workplace, RIVAL_PAUSE_MS, async () => {
    day += 1;
    const { deliveryDate, pickupDate } = await client.shipments.get(id);
    const next = dayAfter(deliveryDate ?? pickupDate ?? new Date().toISOString().slice(0, 10), 1 + (day % 3));
    await client.shipments.update(id, { deliveryDate: next, customerRemarks: pick(REMARKS) });
  });
}

/** Tokens expire, so each attempt uses a new one. */
function clientOf(name, { url, issuer }) {
  return new WaybillClient({ baseUrl: url, token: () => issuer.token(name) });
}

/** Ignores rejections, which are expected between concurrent users. Other errors are reported, but end nothing. */
async function again(name, { signal, onFault, pauseMs }, usualPauseMs, turn) {
  while (!signal.aborted) {
    await sleep((pauseMs ?? usualPauseMs) * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await turn();
    } catch (error) {
      if (!signal.aborted && !USUAL.some((code) => isProblem(error, code))) onFault(name, error);
    }
  }
}

function change(client, shipment) {
  const turn = Math.random();
  if (turn < 0.3) return client.shipments.updateStatus(shipment, { status: STEPS[shipment.status] });
  if (turn < 0.55) return client.shipments.update(shipment, { customerRemarks: pick(REMARKS) });
  if (turn < 0.8)
    return client.shipments.update(shipment, { estimatedWeight: 2000 + Math.round(Math.random() * 80) * 100 });
  return client.shipments.update(shipment, ({ deliveryDate, pickupDate }) => ({
    deliveryDate: dayAfter(deliveryDate ?? pickupDate ?? new Date().toISOString().slice(0, 10), 1),
  }));
}

function dayAfter(day, count) {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

function pick(list) {
  return list[Math.floor(Math.random() * list.length)];
}
