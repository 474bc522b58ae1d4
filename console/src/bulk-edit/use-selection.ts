import { useState } from 'react';
import type { Row } from '../model/rows.js';

/** Ten bulks. */
export const MAX_SELECTED = 2000;

interface More {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A selected shipment, as it was when selected and as it is now. */
export interface Chosen {
  readonly seen: Row;
  readonly now: Row;
}

/** The selected rows of a list, in the versions seen when they were selected. Only loaded rows can be selected. */
export function useSelection(rows: readonly Row[], hasMore: boolean, readMore: () => Promise<More>) {
  const [seen, setSeen] = useState<ReadonlyMap<string, Row>>(new Map());
  const [anchor, setAnchor] = useState(0);
  const chosen = rows.flatMap((now): Chosen[] => {
    const then = seen.get(now.id);
    return then === undefined ? [] : [{ seen: then, now }];
  });

  const withMore = (old: ReadonlyMap<string, Row>, more: readonly Row[]) => {
    const added = more.filter(({ id, isDeleted }) => isDeleted !== true && !old.has(id));
    return new Map([...old, ...added.map((row) => [row.id, row] as const)].slice(0, MAX_SELECTED));
  };
  const add = (more: readonly Row[]) => setSeen((old) => withMore(old, more));
  const only = (isKept: (id: string) => boolean) => setSeen(new Map([...seen].filter(([id]) => isKept(id))));
  const range = (from: number, to: number) => rows.slice(Math.min(from, to), Math.max(from, to) + 1);

  return {
    chosen,
    /** Whether all matching rows are selected. */
    isAll: rows.length > 0 && !hasMore && rows.every(({ id, isDeleted }) => isDeleted === true || seen.has(id)),
    has: ({ id }: Row) => seen.has(id),

    /** Toggles one row or, with `isRange`, adds all rows from the last one to this one. */
    toggle(index: number, isRange: boolean): void {
      const row = rows[index];
      if (row === undefined) return;
      if (isRange) add(range(anchor, index));
      else if (seen.has(row.id)) only((id) => id !== row.id);
      else add([row]);
      setAnchor(index);
    },

    extend(from: number, to: number): void {
      add(range(from, to));
      setAnchor(to);
    },

    /** Selects all matching rows, including those not loaded yet, up to the maximum. */
    async selectAll(): Promise<void> {
      let all: More = { rows, hasMore };
      while (all.hasMore && all.rows.length < MAX_SELECTED) {
        const { length } = all.rows;
        all = await readMore();
        if (all.rows.length === length) break;
      }
      add(all.rows);
    },

    clear: () => setSeen(new Map()),
    keepOnly: (kept: readonly string[]) => only((id) => kept.includes(id)),
  };
}

export type Selection = ReturnType<typeof useSelection>;
