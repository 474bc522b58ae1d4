import type { Rows } from '../model/rows.js';
import { queryClient } from '../queries.js';
import { settings } from '../settings.js';

/** The types that the service allows or, if it allows any, those of the shipments that were read. */
export function knownTypes(): readonly string[] {
  if (settings.shipmentTypes !== undefined) return settings.shipmentTypes;
  const lists = queryClient.getQueriesData<Rows>({ queryKey: ['shipments'] }).flatMap(([, rows]) => rows?.pages ?? []);
  return [...new Set(lists.flatMap(({ items }) => items.map(({ shipmentType }) => shipmentType)))].sort();
}

/** The known type with this name, ignoring case: the service compares types exactly. */
export function typeNamed(text: string, types: readonly string[]): string {
  const folded = text.trim().toLowerCase();
  return types.find((type) => type.toLowerCase() === folded) ?? text;
}
