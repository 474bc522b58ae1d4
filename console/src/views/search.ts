import { isProblem } from '@waybill/client';
import { client } from '../api.js';
import { findDeletion } from '../deleted/deletion-queries.js';
import { pathOf } from '../deleted/restore.js';
import { MOVE_CODE, SHIPMENT_CODE, UUID } from '../model/codes.js';
import { session } from '../session/session.js';
import { t } from '../texts/texts.js';

/** The path of the record with this id or code, or of the list of shipments with these words. */
export async function findRecord(text: string): Promise<string> {
  const isID = UUID.test(text);
  if (isID || SHIPMENT_CODE.test(text)) {
    const shipment = await found(client.shipments.get(text.toUpperCase()));
    if (shipment !== undefined) return `/shipments/${shipment.id}`;
  }
  if (isID || MOVE_CODE.test(text)) {
    const move = await found(client.moves.get(text.toUpperCase()));
    if (move !== undefined) return `/moves/${move.id}`;
  }
  const deletion = await findDeletion(text);
  if (deletion !== undefined) return pathOf(deletion);
  if (!isID && session.can('moves:read') && session.can('shipments:read')) return searchOf(text);
  throw new Error(t.shell.notFound(text));
}

/** The list of shipments with these words, or the page of the only matching move if no shipment matches. */
async function searchOf(text: string): Promise<string> {
  const [shipments, moves] = await Promise.all([
    client.shipments.list({ q: text, limit: 1 }).page(),
    client.moves.list({ q: text, limit: 2 }).page(),
  ]);
  const [move, another] = moves.items;
  if (shipments.items.length === 0 && move !== undefined && another === undefined) return `/moves/${move.id}`;
  return `/list?${new URLSearchParams({ q: text }).toString()}`;
}

async function found<R>(read: Promise<R>): Promise<R | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isProblem(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
