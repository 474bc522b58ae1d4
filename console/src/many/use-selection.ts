import { useState } from 'react';
import type { Row } from '../queries.js';

/** So many can be selected at once: ten bulks. */
export const MOST_SELECTED = 2000;

interface More {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Which rows of a list are selected. They are always among those that were read, and follow what happens to them. */
export function useSelection(rows: readonly Row[], readMore: () => Promise<More>) {
  const [ids, setIDs] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const chosen = rows.filter((row) => ids.has(row.id) && row.isDeleted !== true);

  const add = (more: readonly Row[]) =>
    setIDs(
      (old) =>
        new Set([...old, ...more.filter((row) => row.isDeleted !== true).map(({ id }) => id)].slice(0, MOST_SELECTED)),
    );
  const range = (from: number, to: number) => rows.slice(Math.min(from, to), Math.max(from, to) + 1);

  return {
    chosen,
    isAll: rows.length > 0 && chosen.length >= Math.min(rows.length, MOST_SELECTED),
    has: ({ id }: Row) => ids.has(id),

    /** One row, or with `isRange` all from the one before to this one. */
    toggle(index: number, isRange: boolean): void {
      const row = rows[index];
      if (row === undefined) return;
      if (isRange) add(range(anchor, index));
      else if (ids.has(row.id)) setIDs(new Set([...ids].filter((id) => id !== row.id)));
      else add([row]);
      setAnchor(index);
    },

    extend(from: number, to: number): void {
      add(range(from, to));
      setAnchor(to);
    },

    /** Everything that the filter shows, also what was not read yet, up to the bound. */
    async selectAll(hasMore: boolean): Promise<void> {
      let all: More = { rows, hasMore };
      while (all.hasMore && all.rows.length < MOST_SELECTED) {
        const { length } = all.rows;
        all = await readMore();
        if (all.rows.length === length) break;
      }
      setIDs(new Set());
      add(all.rows);
    },

    clear: () => setIDs(new Set()),
    keepOnly: (kept: readonly string[]) => setIDs(new Set(kept)),
  };
}

export type Selection = ReturnType<typeof useSelection>;
