import type { Page, Shipment } from '@waybill/client';

/** A shipment in a list. A deleted one stays in place, marked. */
export type Row = Shipment & { readonly isDeleted?: true };
/** A page of a list that contains all arrivals up to `readAfter`. */
export interface RowPage extends Page<Row> {
  readonly readAfter: number;
}
/** The pages of a list that were read so far, as TanStack Query keeps them. */
export interface Rows {
  pages: RowPage[];
  pageParams: (string | undefined)[];
}

export function withoutRow(rows: Rows, id: string): Rows {
  const pages = rows.pages.map((page) => ({ ...page, items: page.items.filter((row) => row.id !== id) }));
  return { ...rows, pages };
}

/** A list with this row first. */
export function onTop(rows: Rows, row: Row): Rows {
  const [first, ...others] = withoutRow(rows, row.id).pages;
  if (first === undefined) return rows;
  return { ...rows, pages: [{ ...first, items: [row, ...first.items] }, ...others] };
}
