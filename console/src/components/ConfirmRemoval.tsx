import { isProblem, mayBeDone, type Versioned, type WriteOptions } from '@waybill/client';
import { useState, type ReactNode } from 'react';
import { client } from '../api.js';
import { rememberDeletion } from '../deleted/last-deletion.js';
import { reportOf } from '../edit/report.js';
import { valuesOf } from '../model/fields.js';
import type { TheirChange } from '../model/merge.js';
import { safely } from '../safely.js';
import { announce, type NoticeOptions } from './notice.js';
import { openPage } from './open-page.js';
import { Confirm } from './Confirm.js';
import { explainOpen } from './faults.js';
import { TheirChanges } from './TheirChanges.js';
import { t } from '../texts/texts.js';
import page from './page.module.css';

interface ConfirmRemovalProps {
  readonly verb: 'remove' | 'delete' | 'revoke';
  readonly kind: keyof typeof t.removal.changed;
  readonly record: Versioned;
  readonly name: string;
  readonly remove: (options: WriteOptions) => Promise<void>;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
  /** Other things that are removed with it. */
  readonly children: ReactNode;
}

interface Reader {
  get(id: string): Promise<Versioned>;
}

/** Webhooks and keys do not come back. */
function isKept(kind: ConfirmRemovalProps['kind']): kind is 'move' | 'shipment' | 'agent' | 'service' {
  return kind !== 'webhook' && kind !== 'key';
}

/** The page of a deleted record offers to restore it. */
function pageOf(
  kind: ConfirmRemovalProps['kind'],
  record: Versioned & { readonly shipmentID?: string },
): NoticeOptions {
  if (!isKept(kind)) return {};
  const parent = record.shipmentID === undefined ? '' : `/shipments/${record.shipmentID}`;
  return { action: openPage(`${parent}/${kind}s/${record.id}`) };
}

/** Removes the version that the user saw. If others changed it, shows the changes and asks again. */
export function ConfirmRemoval(props: ConfirmRemovalProps) {
  const { verb, kind, record, name, remove, onClose, onRemoved, children } = props;
  const words = t.removal[verb];
  const done = verb === 'remove' ? 'removed' : 'deleted';
  // The key belongs to the version, so that a retry after an unknown outcome returns the original result.
  const [{ eTag, key }, setTarget] = useState(() => ({ eTag: record.eTag, key: crypto.randomUUID() }));
  const [seen] = useState(record);
  const [isOpen, setIsOpen] = useState(false);
  const [changes, setChanges] = useState<readonly TheirChange[]>([]);
  const [fault, setFault] = useState<unknown>();
  const [isSaving, setIsSaving] = useState(false);

  const finish = (say: () => void) => {
    say();
    onClose();
    onRemoved?.();
  };
  const confirm = async () => {
    setIsSaving(true);
    setFault(undefined);
    try {
      await remove({ ifMatch: eTag, idempotencyKey: key });
      safely(() =>
        finish(() => {
          if (isKept(kind)) rememberDeletion({ kind, id: record.id, eTag, name });
          else announce(words.done(name));
        }),
      );
    } catch (error) {
      const mayBeRemoved = mayBeDone(error, isOpen);
      setIsOpen(mayBeRemoved);
      if (mayBeRemoved) setFault(explainOpen(error, done));
      else if (isProblem(error, 'NOT_FOUND')) finish(() => announce(words.already(name), pageOf(kind, record)));
      else if (isProblem(error, 'PRECONDITION_FAILED')) {
        const read = () => (client[`${kind}s`] as Reader).get(record.id);
        await reportOf(error.problem, valuesOf(seen), read).then((report) => {
          setTarget({ eTag: report.currentETag, key: crypto.randomUUID() });
          setChanges(report.changes);
        }, setFault);
      } else setFault(error);
    } finally {
      setIsSaving(false);
    }
  };

  const isChanged = eTag !== seen.eTag;
  return (
    <Confirm
      title={words.title(name)}
      action={isOpen ? t.actions.tryAgain : isChanged ? words.anyway : words.ask}
      cancel={isOpen ? t.actions.close : t.removal.keep}
      isRunning={isSaving}
      fault={fault}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {isChanged ? (
        <div className={page.explanation} role="alert">
          <p>{t.removal.changed[kind]}</p>
          <TheirChanges recordID={record.id} changes={changes} />
        </div>
      ) : (
        children
      )}
    </Confirm>
  );
}
