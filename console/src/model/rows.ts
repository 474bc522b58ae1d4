import type { Count, Page, Shipment } from '@waybill/client';
import { withNews } from './news.js';

/** A shipment in a list. A deleted one stays in place, marked. */
export type Row = Shipment & { readonly isDeleted?: true };

/** What a shipment is called in titles and labels. */
export function titleOf({ shipmentCode, shipmentType }: Pick<Shipment, 'shipmentCode' | 'shipmentType'>): string {
  return `${shipmentCode} ${shipmentType}`;
}

/** A page of a list that contains all arrivals up to `readAfter`. */
export interface RowPage extends Page<Row> {
  readonly readAfter: number;
}

/** The number of changes that a search lacks, if any. */
export function searchBehind(pages: readonly Page<unknown>[] | undefined): number | undefined {
  return pages?.find((page) => page.searchBehind !== undefined)?.searchBehind;
}

/** The pages of a list that were read so far, as TanStack Query keeps them. */
export interface Rows {
  pages: RowPage[];
  pageParams: (string | undefined)[];
}

export function withoutRow(rows: Rows, id: string): Rows {
  if (!rows.pages.some(({ items }) => items.some((row) => row.id === id))) return rows;
  const pages = rows.pages.map((page) => ({ ...page, items: page.items.filter((row) => row.id !== id) }));
  return { ...rows, pages };
}

/** A list with this row first, unless it already has a newer version of it. */
export function onTop(rows: Rows, row: Row): Rows {
  const held = rows.pages.flatMap(({ items }) => items).find(({ id }) => id === row.id) ?? row;
  const [first, ...others] = withoutRow(rows, row.id).pages;
  if (first === undefined) return rows;
  const { copy } = withNews(held, [{ version: row }]);
  return { ...rows, pages: [{ ...first, items: [copy, ...first.items] }, ...others] };
}

/** How many rows match: as many as the service has counted, else those that are loaded, if these are all. */
export function matchingIn(rows: Pick<Rows, 'pages'>, counted: Count | null | undefined): Count | undefined {
  if (counted != null || rows.pages.at(-1)?.next !== undefined) return counted ?? undefined;
  const there = rows.pages.flatMap(({ items }) => items).filter(({ isDeleted }) => isDeleted !== true);
  return { count: there.length, more: false };
}
