import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Plus } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { useMatchingMoves } from '../live/use-matching.js';
import { Fault } from '../components/Fault.js';
import { Ago } from '../components/Moment.js';
import { SearchBehind } from '../components/SearchBehind.js';
import { useTitle } from '../components/use-title.js';
import { VirtualTable } from '../components/VirtualTable.js';
import { movesQuery } from '../queries.js';
import { session } from '../session/session.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import table from '../components/Table.module.css';
import text from '../components/text.module.css';
import styles from './MoveList.module.css';

const ROW_HEIGHT = 44;

/** All moves, or those with some words. */
export default function MoveList() {
  useTitle(t.shell.moves);
  const [parameters, setParameters] = useSearchParams();
  const words = parameters.get('q') ?? '';
  const asked = useDeferredValue(words.trim());
  const list = useInfiniteQuery(movesQuery(asked));
  const matching = useMatchingMoves(asked);
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  return (
    <div className={page.fill}>
      <header className={styles.head}>
        <h1>{t.shell.moves}</h1>
        <label className={controls.filter}>
          <span>{t.moves.find}</span>
          <input
            type="search"
            value={words}
            onChange={({ target }) => setParameters(target.value === '' ? {} : { q: target.value }, { replace: true })}
          />
        </label>
        <p className={text.hint} role="status">
          {matching === undefined ? '' : t.moves.count(matching)}
        </p>
        {session.can('moves:write') ? <NewMove /> : null}
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      <SearchBehind pages={data?.pages} />
      <VirtualTable
        label={t.shell.moves}
        className={styles.table}
        head={[t.record.move, t.fields.labels.orderID, t.fields.labels.remarks, t.list.columns.changed].map((title) => (
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
            <p>{asked === '' ? t.moves.empty : t.moves.noMatch}</p>
            {session.can('moves:write') ? <NewMove /> : null}
          </>
        }
        onEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
        scroller={{ tabIndex: 0, 'aria-label': t.shell.moves }}
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
      {t.actions.createMove}
    </Link>
  );
}
