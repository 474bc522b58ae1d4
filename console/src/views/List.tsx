import { useInfiniteQuery } from '@tanstack/react-query';
import type { Count, ShipmentQuery } from '@waybill/client';
import { useSearchParams } from 'wouter';
import { arrivals, newIn } from '../live/arrivals.js';
import { useMatching } from '../live/use-matching.js';
import { SelectionBar } from '../bulk-edit/SelectionBar.js';
import { useSelection } from '../bulk-edit/use-selection.js';
import { queryOf, rangeIn, sortedBy } from '../model/list-query.js';
import { sortChoices } from '../model/sorts.js';
import { Fault } from '../components/Fault.js';
import { SearchBehind } from '../components/SearchBehind.js';
import { useTitle } from '../components/use-title.js';
import { searchBehind, type Row } from '../model/rows.js';
import { cache, shipmentsQuery } from '../queries.js';
import { useStore } from '../use-store.js';
import { EmptyList } from './EmptyList.js';
import { ExportMenu } from './ExportMenu.js';
import { Filters } from './Filters.js';
import { Table } from './Table.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';

export default function List() {
  useTitle(t.list.title);
  const [parameters, setParameters] = useSearchParams();
  const query = queryOf(parameters);
  const matching = useMatching(query);
  const change = (next: URLSearchParams) => setParameters(next, { replace: true });
  return (
    <div className={page.fill}>
      <h1 className={text.unseen}>{t.list.title}</h1>
      <Filters parameters={parameters} onChange={change}>
        <p className={text.hint} role="status">
          {matching === undefined ? '' : t.list.count(matching)}
        </p>
        <ExportMenu query={query} count={matching} />
      </Filters>
      <Shipments
        key={JSON.stringify(query)}
        query={query}
        matching={matching}
        sort={sortChoices(parameters.get('sort') ?? '', rangeIn(parameters)).sort}
        onSort={(sort) => change(sortedBy(parameters, sort))}
      />
    </div>
  );
}

interface ShipmentsProps {
  readonly query: ShipmentQuery;
  readonly matching: Count | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The matching shipments and their selection. */
function Shipments({ query, matching, sort, onSort }: ShipmentsProps) {
  const list = useInfiniteQuery(shipmentsQuery(query));
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const isComplete = searchBehind(data?.pages) === undefined;
  const selection = useSelection(rows, hasNextPage, async () => {
    const { data: read, hasNextPage: hasMore } = await fetchNextPage();
    return { rows: read?.pages.flatMap(({ items }) => items) ?? [], hasMore };
  });
  const show = () => {
    cache.outdateKey(['count']);
    void refetch();
  };
  return (
    <>
      <NewOnes rows={rows} query={query} readAfter={data?.pages[0]?.readAfter ?? 0} onShow={show} />
      <Fault error={error} onRetry={() => void refetch()} />
      <SearchBehind pages={data?.pages} />
      <SelectionBar selection={selection} matching={matching} />
      <Table
        rows={rows}
        selection={selection}
        searched={query.q}
        canSelectAll={isComplete}
        isPending={isPending}
        nothing={error === null ? <EmptyList query={query} /> : null}
        sort={sort}
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
  const { status: _status, sort: _sort, limit: _limit, ...others } = query;
  const isCertain = Object.keys(others).length === 0;
  if (count === 0) return null;
  return (
    <button type="button" className={controls.pill} onClick={onShow}>
      {isCertain ? t.board.newOnes(count) : t.list.upTo(count)}
    </button>
  );
}
