import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Plus } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { Fault } from '../parts/Fault.js';
import { Ago } from '../parts/Moment.js';
import { useTitle } from '../parts/use-title.js';
import { VirtualTable } from '../parts/VirtualTable.js';
import { movesQuery } from '../queries.js';
import { session } from '../session/session.js';
import { classes } from '../parts/classes.js';
import controls from '../parts/controls.module.css';
import page from '../parts/page.module.css';
import table from '../parts/Table.module.css';
import text from '../parts/text.module.css';
import styles from './MoveList.module.css';

const TITLES = ['Move', 'Order', 'Remarks', 'Changed'];
const ROW_HEIGHT = 44;

/** All moves, or those with some words. */
export default function MoveList() {
  useTitle('Moves');
  const [parameters, setParameters] = useSearchParams();
  const words = parameters.get('q') ?? '';
  const asked = useDeferredValue(words.trim());
  const list = useInfiniteQuery(movesQuery(asked));
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  return (
    <div className={page.fill}>
      <header className={styles.head}>
        <h1>Moves</h1>
        <label className={controls.filter}>
          <span>Find by code, order or words</span>
          <input
            type="search"
            value={words}
            onChange={({ target }) => setParameters(target.value === '' ? {} : { q: target.value }, { replace: true })}
          />
        </label>
        {session.can('moves:write') ? <NewMove /> : null}
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      <VirtualTable
        label="Moves"
        className={styles.table}
        head={TITLES.map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
        rows={data?.pages.flatMap(({ items }) => items) ?? []}
        rowHeight={ROW_HEIGHT}
        keyOf={({ id }) => id}
        isPending={isPending}
        nothing={
          <>
            <p>
              {asked === '' ? 'There are no moves yet. A new shipment opens one, too.' : 'No move has all these words.'}
            </p>
            {session.can('moves:write') ? <NewMove /> : null}
          </>
        }
        onEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
        scroller={{ tabIndex: 0, 'aria-label': 'Moves' }}
      >
        {({ id, moveCode, orderID, remarks, updatedAt }) => (
          <>
            <span role="cell">
              <Link className={classes(table.link, text.code)} href={`/moves/${id}`}>
                {moveCode}
              </Link>
            </span>
            <span role="cell" dir="auto">
              {orderID}
            </span>
            <span role="cell" dir="auto">
              {remarks}
            </span>
            <span role="cell" className={styles.changed}>
              <Ago at={updatedAt} />
            </span>
          </>
        )}
      </VirtualTable>
    </div>
  );
}

function NewMove() {
  return (
    <Link className={controls.button} href="/moves/new">
      <Plus />
      New move
    </Link>
  );
}
