import { setTimeout as sleep } from 'node:timers/promises';
import { isProblem } from '@waybill/client';

const SHIPMENTS = 12;
const PAUSE_MS = 150;

/** Keeps creating shipments and advancing random ones. Deletes delivered shipments. */
export async function makeTraffic(client, signal) {
  const shipments = [];
  while (!signal.aborted) {
    if (shipments.length < SHIPMENTS) shipments.push(await client.shipments.create({ shipmentType: 'HHG' }));
    const turn = Math.floor(Math.random() * shipments.length);
    shipments[turn] = await moveOn(client, shipments[turn]);
    if (shipments[turn] === undefined) shipments.splice(turn, 1);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function moveOn(client, { id, status }) {
  const steps = { SUBMITTED: 'APPROVED', APPROVED: 'IN_TRANSIT', IN_TRANSIT: 'DELIVERED' };
  try {
    if (steps[status] !== undefined) return await client.shipments.updateStatus(id, { status: steps[status] });
    await client.shipments.delete(id);
  } catch (error) {
    if (!isProblem(error, 'NOT_FOUND')) throw error;
  }
  return undefined;
}
