import { hashKey } from '@tanstack/react-query';
import type { Shipment } from '@waybill/client';
import { onTop, withoutRow, type Row, type Rows } from './model/rows.js';
import { cache, columnQuery } from './queries.js';

const LISTS = ['shipments'];

/** Shows a shipment that the user created on top of its column. Other lists are read again when they are shown. */
export function placeNewShipment(shipment: Shipment): void {
  const { queryKey } = columnQuery(shipment.status);
  const hash = hashKey(queryKey);
  cache.outdate((query) => query.queryKey[0] === LISTS[0] && query.queryHash !== hash, { isQuiet: true });
  cache.outdate((query) => query.queryKey[0] === 'move' && query.queryKey[1] === shipment.moveID);
  cache.change<Rows>(queryKey, (rows) => onTop(rows, shipment));
}

/** Shows a shipment whose status the user changed on top of its new column. */
export function moveShipment(before: Row, written: Shipment): void {
  cache.put([written]);
  cache.change<Rows>(columnQuery(before.status).queryKey, (rows) => withoutRow(rows, written.id));
  cache.change<Rows>(columnQuery(written.status).queryKey, (rows) => onTop(rows, { ...before, ...written }));
}

/** Removes a shipment that the user deleted from all lists. */
export function withoutShipment(id: string): void {
  cache.change<Rows>(LISTS, (rows) => withoutRow(rows, id));
}
