import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ArchiveRestore } from 'lucide-react';
import { authorOf } from '../author.js';
import type { Resource } from '../model/held-records.js';
import { Fault } from '../components/Fault.js';
import { Ago } from '../components/Moment.js';
import { historyQuery, type HistoryOf } from '../queries.js';
import { ComesBack } from './ComesBack.js';
import { deletionQuery } from './deletion-queries.js';
import { canRestore } from './restore.js';
import { RestoreDialog } from './RestoreDialog.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import styles from './deleted.module.css';

interface DeletedRecordProps {
  readonly kind: Resource;
  readonly id: string;
  /** The history that contains it. */
  readonly history: HistoryOf;
}

/** Says who deleted a record and when, and offers to restore it, or says why that is not possible. */
export function DeletedRecord({ kind, id, history }: DeletedRecordProps) {
  const { data: deletion, error, refetch } = useQuery(deletionQuery(kind, id));
  const { data: entries, isPending } = useInfiniteQuery(historyQuery(history));
  const [isRestoring, setIsRestoring] = useState(false);
  const end = entries?.pages
    .flatMap(({ items }) => items)
    .find((each) => each.resourceID === id && each.type === 'deleted');
  const [by, at] = deletion == null ? [end?.changedBy, end?.changedAt] : [deletion.deletedBy, deletion.deletedAt];
  if (error !== null) return <Fault error={error} onRetry={() => void refetch()} />;
  if (deletion === undefined || (deletion === null && isPending)) return null;
  return (
    <div className={classes(page.banner, page.warning)}>
      <div className={styles.sentences} role="alert">
        <p>
          {at === undefined ? (
            t.deleted.unknown[kind]
          ) : (
            <Rich>{t.deleted.this[kind](<strong>{authorOf(id, by, at)}</strong>, <Ago at={at} />)}</Rich>
          )}
        </p>
        {deletion === null && at !== undefined ? <p>{t.deleted.hindrances.NOT_KEPT}</p> : null}
        {deletion !== null && deletion.values === null ? <p>{t.deleted.hindrances.ERASED}</p> : null}
        {deletion === null || deletion.values === null ? null : <ComesBack deletion={deletion} />}
      </div>
      {deletion === null || deletion.values === null || !canRestore(kind) ? null : (
        <button type="button" className={controls.primary} onClick={() => setIsRestoring(true)}>
          <ArchiveRestore />
          {t.deleted.ask}
        </button>
      )}
      {isRestoring && deletion !== null ? (
        <RestoreDialog deletion={deletion} onClose={() => setIsRestoring(false)} />
      ) : null}
    </div>
  );
}
