import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Fault } from '../parts/Fault.js';
import { importRowsQuery } from './import-queries.js';
import { RowCells } from './RowCells.js';

const ESTIMATED_HEIGHT = 44;
const TITLES = ['Line', 'Outcome', 'What it does'];

/** The rows of a file, refused ones first. It loads as one scrolls. */
export function ImportRows({ id, isApplied }: { readonly id: string; readonly isApplied: boolean }) {
  const list = useInfiniteQuery(importRowsQuery(id, isApplied));
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage } = list;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index) => rows[index]?.line ?? index,
    overscan: 10,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - 30) void fetchNextPage();
  });
  return (
    <>
      <Fault error={error} />
      <div className="table import-rows" role="table" aria-label="Rows" aria-rowcount={-1} aria-busy={isPending}>
        <div role="rowgroup">
          <div role="row" className="row head">
            {TITLES.map((title) => (
              <span key={title} role="columnheader">
                {title}
              </span>
            ))}
          </div>
        </div>
        <div ref={scroller} className="scroller" role="rowgroup" tabIndex={0} aria-label="Rows of the file">
          <div className="sizer" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  role="row"
                  aria-rowindex={index + 2}
                  className="row"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <RowCells row={row} />
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </>
  );
}
