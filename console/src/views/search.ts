import { isProblem } from '@waybill/client';
import { client } from '../api.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOVE_CODE = /^[a-z2-9]{6}$/i;

/** The path of a shipment or move by its id, of a move by its code, or of the moves of an order. */
export async function findRecord(text: string): Promise<string> {
  if (UUID.test(text)) {
    const id = text.toLowerCase();
    const shipment = await found(client.shipments.get(id));
    return shipment === undefined ? `/moves/${id}` : `/shipments/${id}`;
  }
  if (MOVE_CODE.test(text)) {
    const move = await found(client.moves.get(text.toUpperCase()));
    if (move !== undefined) return `/moves/${move.id}`;
  }
  const { items } = await client.moves.list({ orderID: text, limit: 1 }).page();
  const [move] = items;
  if (move === undefined) throw new Error(`No move, order or shipment matches "${text}".`);
  return `/moves/${move.id}`;
}

async function found<R>(read: Promise<R>): Promise<R | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isProblem(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
