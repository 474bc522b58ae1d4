import { useInfiniteQuery } from '@tanstack/react-query';
import type { ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { useSearchParams } from 'wouter';
import { arrivals, newIn } from '../live/arrivals.js';
import { SelectionBar } from '../many/SelectionBar.js';
import { useSelection } from '../many/use-selection.js';
import { sortChoices } from '../model/sorts.js';
import { COLUMNS } from '../model/status.js';
import { Fault } from '../parts/Fault.js';
import { useTitle } from '../parts/use-title.js';
import { shipmentsQuery, type Row } from '../queries.js';
import { useStore } from '../use-store.js';
import { EmptyList } from './EmptyList.js';
import { ExportButton } from './ExportButton.js';
import { Filters } from './Filters.js';
import { Table } from './Table.js';

/** Reads the filters from the URL. */
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
      q: text('q'),
      deliveryDateFrom: text('deliveryDateFrom'),
      deliveryDateTo: text('deliveryDateTo'),
      sort: text('sort'),
      limit: 100,
    }).filter(([, value]) => value !== undefined),
  );
}

export function List() {
  useTitle('Shipments');
  const [parameters, setParameters] = useSearchParams();
  const query = queryOf(parameters);
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
      <Filters parameters={parameters} set={set} onClear={() => setParameters({}, { replace: true })}>
        <ExportButton query={query} />
      </Filters>
      <Shipments
        key={JSON.stringify(query)}
        query={query}
        onSort={(sort) => {
          // Only the sort by delivery goes together with a range of delivery dates.
          const isOther = !sort.endsWith('deliveryDate');
          setParameters(
            (old) => {
              const next = new URLSearchParams(old);
              if (isOther) for (const name of ['deliveryDateFrom', 'deliveryDateTo']) next.delete(name);
              next.set('sort', sort);
              return next;
            },
            { replace: true },
          );
        }}
      />
    </div>
  );
}

interface ShipmentsProps {
  readonly query: ShipmentQuery;
  readonly onSort: (sort: string) => void;
}

/** The matching shipments and their selection. */
function Shipments({ query, onSort }: ShipmentsProps) {
  const hasRange = query.deliveryDateFrom !== undefined || query.deliveryDateTo !== undefined;
  const list = useInfiniteQuery(shipmentsQuery(query));
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const selection = useSelection(rows, hasNextPage, async () => {
    const { data: read, hasNextPage: hasMore } = await fetchNextPage();
    return { rows: read?.pages.flatMap(({ items }) => items) ?? [], hasMore };
  });
  return (
    <>
      <NewOnes rows={rows} query={query} readAfter={data?.pages[0]?.readAfter ?? 0} onShow={() => void refetch()} />
      <Fault error={error} onRetry={() => void refetch()} />
      <SelectionBar selection={selection} />
      <Table
        rows={rows}
        selection={selection}
        searched={query.q}
        isPending={isPending}
        nothing={error === null ? <EmptyList query={query} /> : null}
        sort={sortChoices(query.sort ?? '', hasRange).sort}
        onSort={onSort}
        onEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
      />
    </>
  );
}

interface NewOnesProps {
  readonly rows: readonly Row[];
  readonly query: ShipmentQuery;
  readonly readAfter: number;
  readonly onShow: () => void;
}

/** Status events do not contain type, move or date, so other filters may hide some of these shipments. */
function NewOnes({ rows, query, readAfter, onShow }: NewOnesProps) {
  const arrived = useStore(arrivals);
  const shown = new Set(rows.map(({ id }) => id));
  const count = newIn(arrived, query.status, readAfter).filter((id) => !shown.has(id)).length;
  const { shipmentType, moveID, q, deliveryDateFrom, deliveryDateTo } = query;
  const isCertain = [shipmentType, moveID, q, deliveryDateFrom, deliveryDateTo].every((filter) => filter === undefined);
  if (count === 0) return null;
  return (
    <button type="button" className="pill" onClick={onShow}>
      {isCertain ? `${count} new` : `Up to ${count} new`}
    </button>
  );
}
