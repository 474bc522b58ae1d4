import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Selection } from '../bulk-edit/use-selection.js';
import { VirtualTable } from '../components/VirtualTable.js';
import { titleOf, type Row } from '../model/rows.js';
import { session } from '../session/session.js';
import { ShipmentCells } from './ShipmentCells.js';
import { SortHeader } from './SortHeader.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import styles from './ShipmentCells.module.css';

const ROW_HEIGHT = 44;
/** The columns, with the field that each can be sorted by. */
const columns = (): readonly (readonly [name: string, title: string, field?: string])[] => [
  ['code', t.list.places.code, 'createdAt'],
  ['type', t.fields.labels.shipmentType],
  ['status', t.fields.labels.status],
  ['route', t.list.columns.route],
  ['pickup', t.facts.pickup, 'pickupDate'],
  ['delivery', t.facts.delivery, 'deliveryDate'],
  ['changed', t.list.columns.changed, 'updatedAt'],
];

interface TableProps {
  readonly rows: readonly Row[];
  readonly selection: Selection;
  /** Not if some matching rows may be missing. */
  readonly canSelectAll: boolean;
  /** The words that were searched for. */
  readonly searched?: string | undefined;
  readonly isPending: boolean;
  /** Shown if there are no rows. */
  readonly nothing: ReactNode;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly onEnd: () => void;
}

export function Table(props: TableProps) {
  const { rows, selection, canSelectAll, searched, isPending, nothing, sort, onSort, onEnd } = props;
  const canSelect = session.can('shipments:write') || session.can('shipments:status');
  const head = (
    <>
      {canSelect ? (
        <span role="columnheader" className={styles.box}>
          <SelectAll selection={selection} isDisabled={!canSelectAll} />
        </span>
      ) : null}
      {columns().map(([name, title, field]) => (
        <SortHeader
          key={name}
          name={name}
          title={title}
          field={searched === undefined ? field : undefined}
          sort={sort}
          onSort={onSort}
        />
      ))}
    </>
  );
  return (
    <VirtualTable
      label={t.list.title}
      className={canSelect ? styles.selectable : styles.list}
      head={head}
      rows={rows}
      rowHeight={ROW_HEIGHT}
      classOf={(row) => classes(row.isDeleted === true && styles.deleted, selection.has(row) && styles.selected)}
      isPending={isPending}
      nothing={nothing}
      onEnd={onEnd}
      scroller={{ onKeyDown: (event) => walk(event, canSelect ? selection : undefined) }}
    >
      {(row, index) => (
        <>
          {canSelect ? (
            <span role="cell" className={styles.box}>
              <input
                type="checkbox"
                aria-label={t.list.select(titleOf(row))}
                checked={selection.has(row)}
                disabled={row.isDeleted === true}
                onChange={({ nativeEvent }) =>
                  selection.toggle(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                }
              />
            </span>
          ) : null}
          <ShipmentCells row={row} searched={searched} />
        </>
      )}
    </VirtualTable>
  );
}

function SelectAll({ selection, isDisabled }: { readonly selection: Selection; readonly isDisabled: boolean }) {
  const { chosen, isAll } = selection;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = chosen.length > 0 && !isAll;
  }, [chosen.length, isAll]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t.list.selectAll}
      checked={isAll}
      disabled={isDisabled}
      onChange={() => (isAll ? selection.clear() : void selection.selectAll())}
    />
  );
}

/** Arrow keys move between rows, with Shift they extend the selection; `x` selects. */
function walk(event: KeyboardEvent<HTMLElement>, selection: Selection | undefined): void {
  const row = (event.target as HTMLElement).closest('[role="row"]');
  if (row === null) return;
  const at = Number(row.getAttribute('aria-rowindex'));
  if (event.key === 'x') {
    selection?.toggle(at - 2, event.shiftKey);
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = step && row.parentElement?.querySelector<HTMLElement>(`[aria-rowindex="${at + step}"] a`);
  if (!step || !next) return;
  event.preventDefault();
  next.focus();
  if (event.shiftKey) selection?.extend(at - 2, at - 2 + step);
}
