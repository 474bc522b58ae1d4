import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { authorOf } from '../author.js';
import type { Resource } from '../model/held-records.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { Ago } from '../components/Moment.js';
import { historyQuery, type HistoryOf } from '../queries.js';
import { deletionQuery } from './deletion-queries.js';
import { canRestore } from './restore.js';
import { RestoreDialog } from './RestoreDialog.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';

interface WasDeletedProps {
  readonly kind: Resource;
  readonly id: string;
  /** The history that contains it. */
  readonly history: HistoryOf;
  readonly onClose: () => void;
  /** The text about the write that was refused. It may depend on whether the user can restore the record. */
  readonly children: (isRestorable: boolean) => ReactNode;
  /** The other buttons. Default: one that closes the dialog. */
  readonly foot?: (isRestorable: boolean) => ReactNode;
}

/** Says that a record was deleted while the user was changing it, and offers to restore it, or says why that is not possible. */
export function WasDeleted({
  kind,
  id,
  history,
  onClose,
  children,
  foot = () => <Close onClose={onClose} />,
}: WasDeletedProps) {
  const { data } = useInfiniteQuery(historyQuery(history));
  const end = data?.pages
    .flatMap(({ items }) => items)
    .find(({ type, resourceID }) => type === 'deleted' && resourceID === id);
  const { data: deletion, error, refetch } = useQuery({ ...deletionQuery(kind, id), staleTime: 0 });
  const [isRestoring, setIsRestoring] = useState(false);
  if (isRestoring && deletion != null) return <RestoreDialog deletion={deletion} onClose={onClose} />;
  const isRestorable = deletion?.values != null && canRestore(kind);
  const buttons = (
    <>
      {foot(isRestorable)}
      {isRestorable ? (
        <button type="button" className={controls.primary} onClick={() => setIsRestoring(true)}>
          {t.deleted.ask}
        </button>
      ) : null}
    </>
  );
  return (
    <Dialog title={t.conflict.wasDeleted[kind]} isSmall onClose={onClose} foot={buttons}>
      <p>
        {end === undefined ? (
          t.conflict.deletedMeanwhile
        ) : (
          <Rich>
            {t.conflict.deletedBy(
              <strong>{authorOf(id, end.changedBy, end.changedAt)}</strong>,
              <Ago at={end.changedAt} />,
            )}
          </Rich>
        )}
        {deletion === null ? ` ${t.deleted.hindrances.NOT_KEPT}` : null}
        {deletion?.values === null ? ` ${t.deleted.hindrances.ERASED}` : null}
      </p>
      <Fault error={error} onRetry={() => void refetch()} />
      {children(isRestorable)}
    </Dialog>
  );
}

function Close({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      {t.actions.close}
    </button>
  );
}
