import { hashKey } from '@tanstack/react-query';
import type { Shipment } from '@waybill/client';
import { onTop, withoutRow, type Rows } from './model/rows.js';
import { columnQuery, moveQuery, queryClient, shipmentQuery } from './queries.js';

/** Replaces older versions in the cache with one that was just read or written. */
export function placeShipment(shipment: Shipment): void {
  placeShipments([shipment]);
}

/** Shows a shipment that the user created on top of its column. Other lists are read again when they are shown. */
export function placeNewShipment(shipment: Shipment): void {
  const { queryKey } = columnQuery(shipment.status);
  void queryClient.invalidateQueries({
    queryKey: ['shipments'],
    refetchType: 'none',
    predicate: (query) => query.queryHash !== hashKey(queryKey),
  });
  void queryClient.invalidateQueries({ queryKey: moveQuery(shipment.moveID).queryKey });
  queryClient.setQueryData<Rows>(queryKey, (rows) => rows && onTop(rows, shipment));
}

/** Removes a shipment that the user deleted from all lists. */
export function withoutShipment(id: string): void {
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => rows && withoutRow(rows, id));
}

export function placeShipments(shipments: readonly Shipment[]): void {
  const newer = new Map(shipments.map((shipment) => [shipment.id, shipment]));
  const placed = <R extends Shipment>(old: R): R => {
    const next = newer.get(old.id);
    return next !== undefined && old.updatedAt < next.updatedAt ? { ...old, ...next } : old;
  };
  for (const id of newer.keys()) queryClient.setQueryData(shipmentQuery(id).queryKey, (old) => old && placed(old));
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => {
    if (!rows?.pages.some(({ items }) => items.some(({ id }) => newer.has(id)))) return rows;
    return { ...rows, pages: rows.pages.map((page) => ({ ...page, items: page.items.map(placed) })) };
  });
}
