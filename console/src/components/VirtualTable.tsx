import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type HTMLAttributes, type ReactNode } from 'react';
import { Loading } from './Loading.js';
import { useKeptScroll } from './use-kept-scroll.js';
import { classes } from './classes.js';
import table from './Table.module.css';

/** Requests the next rows this many rows before the last loaded one. */
const AHEAD = 30;

interface VirtualTableProps<R> {
  readonly label: string;
  readonly className: string | undefined;
  /** The cells of the head. */
  readonly head: ReactNode;
  readonly rows: readonly R[];
  readonly rowHeight: number;
  /** Measures rows of variable height; `rowHeight` is then an estimate. Needs `keyOf` if rows can be inserted. */
  readonly isMeasured?: boolean;
  readonly keyOf?: (row: R) => string | number;
  readonly classOf?: (row: R) => string | undefined;
  /** The cells of a row. */
  readonly children: (row: R, index: number) => ReactNode;
  readonly isPending: boolean;
  /** Shown if there are no rows. */
  readonly nothing: ReactNode;
  readonly onEnd: () => void;
  readonly scroller?: HTMLAttributes<HTMLDivElement>;
}

/** A table that renders only visible rows and requests more on scrolling. */
export function VirtualTable<R>(props: VirtualTableProps<R>) {
  const { label, className, head, rows, rowHeight, isMeasured = false, keyOf, classOf, children } = props;
  const { isPending, nothing, onEnd, scroller: attributes } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined || keyOf === undefined ? index : keyOf(row);
    },
    overscan: 12,
  });
  useKeptScroll(scroller, label);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) onEnd();
  });
  return (
    <div
      className={classes(table.table, className)}
      role="table"
      aria-label={label}
      aria-rowcount={-1}
      aria-busy={isPending}
    >
      <div role="rowgroup">
        <div role="row" className={classes(table.row, table.head)}>
          {head}
        </div>
      </div>
      <div
        ref={scroller}
        className={table.scroller}
        role="rowgroup"
        tabIndex={rows.length === 0 ? 0 : -1}
        {...attributes}
      >
        {rows.length === 0 ? (
          <div role="row" className={table.nothing}>
            <div role="cell">{isPending ? <Loading rows={8} /> : nothing}</div>
          </div>
        ) : null}
        <div className={table.sizer} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={isMeasured ? virtualizer.measureElement : undefined}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes(table.row, classOf?.(row))}
                style={{ transform: `translateY(${start}px)`, ...(!isMeasured && { height: rowHeight }) }}
              >
                {children(row, index)}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
