import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isProblem, mayBeDone, type ImportRow, type Shipment } from '@waybill/client';
import { useEffect, useEffectEvent, useState } from 'react';
import { client } from '../api.js';
import { EditObstacle } from '../edit/EditObstacle.js';
import { readDraft } from '../edit/kept-draft.js';
import { useEdit } from '../edit/use-edit.js';
import { labelOf, type Value } from '../model/fields.js';
import { explain } from '../components/faults.js';
import { announce } from '../components/notice.js';
import { Fault } from '../components/Fault.js';
import { formerShipmentQuery } from '../queries.js';
import { session } from '../session/session.js';
import { t } from '../texts/texts.js';
import { importQuery, importRowsKey } from './import-queries.js';
import controls from '../components/controls.module.css';

interface SettleRowProps {
  readonly importID: string;
  readonly row: ImportRow;
  readonly shipmentID: string;
  /** The version that the row names. */
  readonly eTag: string;
}

/** Settles the conflict of a refused row, with the same dialog as a conflict of an edit. */
export function SettleRow({ importID, row, shipmentID, eTag }: SettleRowProps) {
  const [isAsked, setIsAsked] = useState(false);
  const queries = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  /** The shipment is saved, which the import has yet to learn. Trying again does not save the shipment once more. */
  const settle = async (isRepeated = false): Promise<void> => {
    setIsAsked(false);
    try {
      const { queryKey } = importQuery(importID);
      queries.setQueryData(queryKey, await client.imports.settle(importID, row.line, { idempotencyKey: key }));
    } catch (error) {
      // Somebody else may have settled it.
      if (!isProblem(error, 'INVALID_PARAMETER')) {
        announce(t.imports.notSettled(row.line, explain(error)), {
          isFault: true,
          isOpen: mayBeDone(error, isRepeated),
          action: { label: t.actions.tryAgain, act: () => void settle(true) },
        });
        return;
      }
      await queries.invalidateQueries({ queryKey: importQuery(importID).queryKey });
    }
    announce(t.imports.isSettled(row.line));
    await queries.invalidateQueries({ queryKey: importRowsKey(importID) });
  };
  return (
    <>
      <button
        type="button"
        className={controls.quiet}
        aria-label={t.imports.settleLine(row.line)}
        onClick={() => setIsAsked(true)}
      >
        {t.imports.settle}
      </button>
      {isAsked ? (
        <ReadVersion
          row={row}
          shipmentID={shipmentID}
          eTag={eTag}
          onClose={() => setIsAsked(false)}
          onSettled={() => void settle()}
        />
      ) : null}
    </>
  );
}

interface SettlingProps {
  readonly row: ImportRow;
  readonly onClose: () => void;
  readonly onSettled: () => void;
}

function ReadVersion({ shipmentID, eTag, ...props }: SettlingProps & Omit<SettleRowProps, 'importID'>) {
  const { data: version, error } = useQuery(formerShipmentQuery(shipmentID, eTag));
  // Asked once: settling keeps a draft of its own.
  const [hasDraft] = useState(() => readDraft(session.subject, 'shipment', shipmentID) !== undefined);
  if (hasDraft) return <Fault error={t.imports.hasDraft} />;
  if (version === undefined) return <Fault error={error} />;
  return <Settling {...props} version={version} />;
}

/** Saves the row as an edit of the version that it names. What others changed since then, before or after the dry run, comes with the 412. */
function Settling({ row, version, onClose, onSettled }: SettlingProps & { readonly version: Shipment }) {
  const editing = useEdit('shipment', version, onSettled);
  const { errors, fault } = editing;
  const begin = useEffectEvent(() => {
    editing.changeAll(Object.fromEntries(row.changes.map(({ field, to }) => [field, to as Value])));
    void editing.save();
  });
  useEffect(() => begin(), []);
  const giveUp = () => {
    editing.drop();
    onClose();
  };
  return (
    <>
      <Fault error={fault} {...(fault !== undefined && { onRetry: () => void editing.save() })} />
      {Object.entries(errors).map(([field, message]) => (
        <Fault key={field} error={`${labelOf(field)} ${message}`} />
      ))}
      <EditObstacle
        kind="shipment"
        record={version}
        editing={{ ...editing, close: giveUp }}
        closeLabel={t.actions.leave}
      />
    </>
  );
}
