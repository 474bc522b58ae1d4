import { useInfiniteQuery } from '@tanstack/react-query';
import type { Deletion } from '@waybill/client';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { filtersIn, queryOf } from '../model/deletion-filters.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { DeletedRow } from './DeletedRow.js';
import { deletionsQuery } from './deletion-queries.js';
import { DeletionFilters } from './DeletionFilters.js';
import { RestoreDialog } from './RestoreDialog.js';
import { useDeletionNews } from './use-deletion-news.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './deleted.module.css';

/** All deletions that can be undone, newest first. */
export default function Deleted() {
  useTitle(t.shell.deleted);
  const [parameters, setParameters] = useSearchParams();
  const query = queryOf(filtersIn(parameters));
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>{t.shell.deleted}</h1>
      </header>
      <DeletionFilters
        parameters={parameters}
        author={session.name}
        onChange={(next) => setParameters(next, { replace: true })}
      />
      <Deletions key={JSON.stringify(query)} query={query} hasFilters={parameters.size > 0} />
    </div>
  );
}

interface DeletionsProps {
  readonly query: ReturnType<typeof queryOf>;
  readonly hasFilters: boolean;
}

function Deletions({ query, hasFilters }: DeletionsProps) {
  const list = useInfiniteQuery(deletionsQuery(query));
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = list;
  const [asked, setAsked] = useState<Deletion>();
  const all = data?.pages.flatMap(({ items }) => items) ?? [];
  const { isRestored, newOnes } = useDeletionNews(all, query.resource);
  // What came along with a shipment is in its preview, unless such records are asked for.
  const shown = all.filter(({ isCascade, resource }) => !isCascade || query.resource?.includes(resource));
  return (
    <>
      {newOnes === 0 ? null : (
        <button type="button" className={controls.pill} onClick={() => void refetch()}>
          {t.list.upTo(newOnes)}
        </button>
      )}
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={6} /> : null}
      {data !== undefined && shown.length === 0 && !hasNextPage ? (
        <p className={text.empty}>{hasFilters ? t.deleted.noMatch : t.deleted.empty}</p>
      ) : null}
      <ul className={styles.list}>
        {shown.map((deletion) => (
          <DeletedRow
            key={`${deletion.resourceID} ${deletion.deletionETag}`}
            deletion={deletion}
            isRestored={isRestored(deletion.resourceID, deletion.deletedAt)}
            onRestore={() => setAsked(deletion)}
          />
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t.actions.more}
        </button>
      ) : null}
      {asked === undefined ? null : <RestoreDialog deletion={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
