import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { Link, useSearchParams } from 'wouter';
import { arrivals } from '../board/arrivals.js';
import { formatCode } from '../model/format.js';
import { COLUMNS, isOverdue, routeOf } from '../model/status.js';
import { explain } from '../parts/faults.js';
import { Ago, Day } from '../parts/Moment.js';
import { StatusMark } from '../parts/StatusMark.js';
import { shipmentsQuery, type Row } from '../queries.js';
import { settings } from '../settings.js';
import { useStore } from '../store.js';

const ROW_HEIGHT = 44;
const SORTS: readonly (readonly [string, string])[] = [
  ['', 'Newest first'],
  ['createdAt', 'Oldest first'],
  ['deliveryDate', 'Delivery, earliest first'],
  ['-deliveryDate', 'Delivery, latest first'],
  ['-updatedAt', 'Changed last'],
  ['updatedAt', 'Not changed for longest'],
];

/** The filters of the API, as they stand in the address. */
function queryOf(parameters: URLSearchParams): ShipmentQuery {
  const text = (name: string) => parameters.get(name) ?? undefined;
  const status = parameters
    .getAll('status')
    .filter((each): each is ShipmentStatus => COLUMNS.some((known) => known === each));
  return Object.fromEntries(
    Object.entries({
      status: status.length === 0 ? undefined : status,
      shipmentType: text('shipmentType'),
      moveID: text('moveID'),
      deliveryDateFrom: text('deliveryDateFrom'),
      deliveryDateTo: text('deliveryDateTo'),
      sort: text('sort'),
      limit: 100,
    }).filter(([, value]) => value !== undefined),
  );
}

export function List() {
  const [parameters, setParameters] = useSearchParams();
  const query = queryOf(parameters);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    shipmentsQuery(query),
  );
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const set = (name: string, values: readonly string[]) =>
    setParameters(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete(name);
        for (const value of values.filter(Boolean)) next.append(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <div className="list-view">
      <h1 className="unseen">Shipments</h1>
      <Filters parameters={parameters} set={set} onClear={() => setParameters({}, { replace: true })} />
      <NewOnes rows={rows} query={query} onShow={() => void refetch()} />
      {error === null ? null : (
        <p className="fault" role="alert">
          {explain(error)}
        </p>
      )}
      <Table
        rows={rows}
        isPending={isPending}
        onEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
      />
    </div>
  );
}

interface FiltersProps {
  readonly parameters: URLSearchParams;
  readonly set: (name: string, values: readonly string[]) => void;
  readonly onClear: () => void;
}

function Filters({ parameters, set, onClear }: FiltersProps) {
  const chosen = parameters.getAll('status');
  const one = (name: string) => parameters.get(name) ?? '';
  const hasRange = one('deliveryDateFrom') !== '' || one('deliveryDateTo') !== '';
  // A range is sorted by its own field only.
  const sorts = SORTS.filter(([sort]) => !hasRange || sort === '' || sort.endsWith('deliveryDate'));
  const setRange = (name: string, value: string) => {
    if (value !== '' && !one('sort').endsWith('deliveryDate')) set('sort', []);
    set(name, [value]);
  };
  return (
    <form className="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset className="status-filter">
        <legend>Status</legend>
        {COLUMNS.map((status) => (
          <label key={status} className="chip">
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={({ target }) =>
                set('status', target.checked ? [...chosen, status] : chosen.filter((each) => each !== status))
              }
            />
            <span>{formatCode(status)}</span>
          </label>
        ))}
      </fieldset>
      <label className="filter">
        <span>Type</span>
        <input
          list="shipment-types"
          value={one('shipmentType')}
          onChange={({ target }) => set('shipmentType', [target.value])}
        />
        <datalist id="shipment-types">
          {(settings.shipmentTypes ?? []).map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </label>
      <label className="filter">
        <span>Delivery from</span>
        <input
          type="date"
          value={one('deliveryDateFrom')}
          onChange={({ target }) => setRange('deliveryDateFrom', target.value)}
        />
      </label>
      <label className="filter">
        <span>to</span>
        <input
          type="date"
          value={one('deliveryDateTo')}
          onChange={({ target }) => setRange('deliveryDateTo', target.value)}
        />
      </label>
      <label className="filter">
        <span>Sort</span>
        <select value={one('sort')} onChange={({ target }) => set('sort', [target.value])}>
          {sorts.map(([sort, label]) => (
            <option key={sort} value={sort}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {parameters.size === 0 ? null : (
        <button type="button" className="quiet" onClick={onClear}>
          Clear
        </button>
      )}
    </form>
  );
}

function NewOnes({
  rows,
  query,
  onShow,
}: {
  readonly rows: readonly Row[];
  readonly query: ShipmentQuery;
  readonly onShow: () => void;
}) {
  const arrived = useStore(arrivals);
  const shown = new Set(rows.map(({ id }) => id));
  const isAskedFor = (status: ShipmentStatus) => query.status === undefined || query.status.includes(status);
  const count = [...arrived].filter(([id, status]) => !shown.has(id) && isAskedFor(status)).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="pill"
      onClick={() => {
        arrivals.forget(isAskedFor);
        onShow();
      }}
    >
      {count} new
    </button>
  );
}

interface TableProps {
  readonly rows: readonly Row[];
  readonly isPending: boolean;
  readonly onEnd: () => void;
}

function Table({ rows, isPending, onEnd }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 30) onEnd();
  });
  return (
    <div className="table" role="table" aria-label="Shipments" aria-rowcount={-1} aria-busy={isPending}>
      <div role="rowgroup">
        <div role="row" className="row head">
          {['Type', 'Move', 'Status', 'Route', 'Pickup', 'Delivery', 'Changed'].map((title) => (
            <span key={title} role="columnheader" className={`cell-${title.toLowerCase()}`}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div ref={scroller} className="scroller" role="rowgroup" onKeyDown={walk} tabIndex={rows.length === 0 ? 0 : -1}>
        {!isPending && rows.length === 0 ? (
          <div role="row" className="row empty">
            <span role="cell">No shipment matches.</span>
          </div>
        ) : null}
        <div className="sizer" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={`row${row.isDeleted === true ? ' deleted' : ''}`}
                style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
              >
                <ShipmentCells row={row} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

export function ShipmentCells({ row }: { readonly row: Row }) {
  return (
    <>
      <span role="cell" className="cell-type">
        <Link className="row-link" href={`/shipments/${row.id}`}>
          {row.shipmentType}
        </Link>
      </span>
      <span role="cell" className="cell-move code">
        {row.move === undefined ? null : <Link href={`/moves/${row.move.id}`}>{row.move.moveCode}</Link>}
      </span>
      <span role="cell" className="cell-status">
        {row.isDeleted === true ? 'Deleted' : <StatusMark status={row.status} />}
      </span>
      <span role="cell" className="cell-route">
        {routeOf(row) ?? <span className="none">–</span>}
      </span>
      <span role="cell" className="cell-pickup">
        <Day day={row.pickupDate} />
      </span>
      <span role="cell" className={`cell-delivery${isOverdue(row) ? ' overdue' : ''}`}>
        <Day day={row.deliveryDate} />
        {isOverdue(row) ? <span className="unseen"> overdue</span> : null}
      </span>
      <span role="cell" className="cell-changed">
        <Ago at={row.updatedAt} />
      </span>
    </>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as HTMLElement).closest('.row');
  if (step === undefined || row === null) return;
  const index = Number(row.getAttribute('aria-rowindex')) + step;
  const next = row.parentElement?.querySelector<HTMLElement>(`[aria-rowindex="${index}"] .row-link`);
  if (next == null) return;
  event.preventDefault();
  next.focus();
}
