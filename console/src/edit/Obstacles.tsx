import { useInfiniteQuery } from '@tanstack/react-query';
import { authorOf } from '../author.js';
import { labelOf, type Kind } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import type { Edits } from '../model/merge.js';
import { announce } from '../parts/notice.js';
import { Dialog } from '../parts/Dialog.js';
import { Ago } from '../parts/Moment.js';
import { historyQuery } from '../queries.js';
import { historyOf, isNewPart, type RecordOf } from './records.js';
import controls from '../parts/controls.module.css';
import styles from './edit.module.css';

function MyValues({ edits }: { readonly edits: Edits }) {
  return (
    <dl className={styles.myValues}>
      {Object.entries(edits).map(([field, { to }]) => (
        <div key={field}>
          <dt>{labelOf(field)}</dt>
          <dd>{formatValue(field, to)}</dd>
        </div>
      ))}
    </dl>
  );
}

async function copy(edits: Edits): Promise<void> {
  const lines = Object.entries(edits).map(([field, { to }]) => `${labelOf(field)}: ${to ?? ''}`);
  await navigator.clipboard.writeText(lines.join('\n'));
  announce('Copied.');
}

function KeepDraft({ edits, onClose }: { readonly edits: Edits; readonly onClose: () => void }) {
  return (
    <>
      <button type="button" onClick={() => void copy(edits)}>
        Copy my changes
      </button>
      <button type="button" className={controls.primary} onClick={onClose}>
        Keep draft
      </button>
    </>
  );
}

interface DeletedDialogProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly edits: Edits;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

export function DeletedDialog({ kind, record, edits, onClose, onDiscard }: DeletedDialogProps) {
  const { data } = useInfiniteQuery(historyQuery(historyOf(kind, record)));
  const deleted = isNewPart(record) ? { what: 'shipment', id: record.shipmentID } : { what: kind, id: record.id };
  const end = data?.pages
    .flatMap(({ items }) => items)
    .find(({ type, resourceID }) => type === 'deleted' && resourceID === deleted.id);
  const foot = (
    <>
      <button type="button" onClick={onDiscard}>
        Discard my changes
      </button>
      <KeepDraft edits={edits} onClose={onClose} />
    </>
  );
  return (
    <Dialog title={`This ${deleted.what} was deleted`} isSmall onClose={onClose} foot={foot}>
      <p>
        {end === undefined ? (
          'It was deleted while you were editing it.'
        ) : (
          <>
            <strong>{authorOf(deleted.id, end.changedBy, end.changedAt)}</strong> deleted it, <Ago at={end.changedAt} />
            .
          </>
        )}{' '}
        Your changes can no longer be saved. This is what you entered:
      </p>
      <MyValues edits={edits} />
    </Dialog>
  );
}

interface ForbiddenDialogProps {
  readonly detail: string;
  readonly edits: Edits;
  readonly onClose: () => void;
}

export function ForbiddenDialog({ detail, edits, onClose }: ForbiddenDialogProps) {
  const foot = <KeepDraft edits={edits} onClose={onClose} />;
  return (
    <Dialog title="You are not allowed to save this" isSmall onClose={onClose} foot={foot}>
      <p>{detail} Nothing was saved. Your changes are kept in this browser:</p>
      <MyValues edits={edits} />
    </Dialog>
  );
}
