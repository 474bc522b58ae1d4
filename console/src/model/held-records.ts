/** The kinds of records that have versions, as events name them. */
export type Resource = 'shipment' | 'move' | 'agent' | 'service';

/** A version of a record in the cache. A deleted shipment stays in its lists, marked. */
export interface Copy {
  readonly id: string;
  readonly eTag: string;
  /** When this version was made or, if it is marked, when the record was deleted. */
  readonly updatedAt: string;
  readonly isDeleted?: true;
}

/** Returns what replaces a record: itself if nothing changed, or undefined if it is removed. */
export type Change = (resource: Resource, copy: Copy) => Copy | undefined;

/** The fields of a record that hold other records, which have versions of their own. */
const CHILDREN: Readonly<Record<Resource, Readonly<Record<string, Resource>>>> = {
  shipment: { move: 'move', agents: 'agent', services: 'service' },
  move: { shipments: 'shipment' },
  agent: {},
  service: {},
};

/** Some pages of a list. */
export interface Pages {
  readonly pages: readonly Page[];
  readonly pageParams: readonly unknown[];
}

interface Page {
  readonly items: readonly Copy[];
}

/** The data of queries that hold records, by the first part of their keys. */
const HOLDERS: Readonly<Record<string, (data: unknown, change: Change) => unknown>> = {
  shipment: (data, change) => changedRecord('shipment', data as Copy, change) ?? data,
  move: (data, change) => changedRecord('move', data as Copy, change) ?? data,
  shipments: (data, change) => changedPages('shipment', data as Pages, change),
  moves: (data, change) => changedPages('move', data as Pages, change),
  'found-moves': (data, change) => changedPage('move', data as Page, change),
};

export function holdsRecords(queryKey: readonly unknown[]): boolean {
  return String(queryKey[0]) in HOLDERS;
}

/** Changes all records in the data of a query. Whatever does not change keeps its identity. */
export function changedRecords(queryKey: readonly unknown[], data: unknown, change: Change): unknown {
  return HOLDERS[String(queryKey[0])]?.(data, change) ?? data;
}

/** A list in which no record comes twice: one that was moved while the pages were read stays where it came first. */
export function withoutRepetitions<P extends Pages>(list: P): P {
  const seen = new Set<string>();
  const isFirst = ({ id }: Copy) => !seen.has(id) && seen.add(id);
  const pages = list.pages.map((page) => {
    const items = page.items.filter(isFirst);
    return items.length === page.items.length ? page : { ...page, items };
  });
  return isSame(pages, list.pages) ? list : { ...list, pages };
}

function changedPages(resource: Resource, list: Pages, change: Change): Pages {
  const pages = list.pages.map((page) => changedPage(resource, page, change));
  return isSame(pages, list.pages) ? list : { ...list, pages };
}

function changedPage(resource: Resource, page: Page, change: Change): Page {
  const items = changedAll(resource, page.items, change);
  return items === page.items ? page : { ...page, items };
}

function changedAll(resource: Resource, records: readonly Copy[], change: Change): readonly Copy[] {
  const next = records.flatMap((record) => changedRecord(resource, record, change) ?? []);
  return isSame(next, records) ? records : next;
}

function changedRecord(resource: Resource, record: Copy, change: Change): Copy | undefined {
  let next = change(resource, record);
  for (const [name, kind] of Object.entries(CHILDREN[resource])) {
    const child = next?.[name as keyof Copy] as Copy | readonly Copy[] | undefined;
    if (next === undefined || child === undefined) continue;
    const changed = 'id' in child ? (changedRecord(kind, child, change) ?? child) : changedAll(kind, child, change);
    if (changed !== child) next = { ...next, [name]: changed };
  }
  return next;
}

function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
