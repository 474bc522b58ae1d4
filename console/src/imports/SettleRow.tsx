import { useQuery } from '@tanstack/react-query';
import type { ImportRow, Shipment } from '@waybill/client';
import { useState } from 'react';
import { EditObstacle } from '../edit/EditObstacle.js';
import { readDraft } from '../edit/kept-draft.js';
import { EditSession } from '../edit/edit-session.js';
import { useEditSession } from '../edit/use-edit.js';
import { valuesOf, type Value } from '../model/fields.js';
import { announce } from '../parts/notice.js';
import { Fault } from '../parts/Fault.js';
import { shipmentQuery } from '../queries.js';
import { session } from '../session/session.js';
import { isInTheWay } from './import-queries.js';
import { t } from '../texts/texts.js';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';

interface SettleRowProps {
  readonly row: ImportRow;
  readonly shipmentID: string;
}

/** Settles the conflict of a refused row, with the same dialog as a conflict of an edit. */
export function SettleRow({ row, shipmentID }: SettleRowProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [isSettled, setIsSettled] = useState(false);
  if (isSettled) return <span className={text.hint}>{t.imports.settled}</span>;
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
        <ReadShipment
          row={row}
          shipmentID={shipmentID}
          onClose={() => setIsAsked(false)}
          onSettled={() => setIsSettled(true)}
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

function ReadShipment({ shipmentID, ...props }: SettlingProps & SettleRowProps) {
  const { data: shipment, error } = useQuery(shipmentQuery(shipmentID));
  // Asked once: settling keeps a draft of its own.
  const [hasDraft] = useState(() => readDraft(session.subject, 'shipment', shipmentID) !== undefined);
  if (shipment === undefined) return <Fault error={error} />;
  if (hasDraft) {
    return <Fault error={t.imports.hasDraft} />;
  }
  return <Settling {...props} shipment={shipment} />;
}

function Settling({ row, shipment, onClose, onSettled }: SettlingProps & { readonly shipment: Shipment }) {
  const [edit] = useState(() => beginAt(row, shipment));
  const editing = useEditSession(edit, shipment, () => {
    announce(t.imports.isSettled(row.line));
    onSettled();
  });
  return (
    <>
      <Fault error={editing.fault} {...(editing.isOpen && { onRetry: () => void editing.save() })} />
      <EditObstacle
        kind="shipment"
        record={shipment}
        editing={{
          ...editing,
          close: () => {
            editing.discard();
            onClose();
          },
        }}
      />
    </>
  );
}

/** The row as an edit of the version that it names, which has met the current one. */
function beginAt(row: ImportRow, shipment: Shipment): EditSession {
  const current = { eTag: shipment.eTag, values: valuesOf(shipment) };
  const then = Object.fromEntries(row.changes.map(({ field, from }) => [field, from as Value]));
  const base = { eTag: current.eTag, values: { ...current.values, ...then } };
  const edit = new EditSession('shipment', shipment);
  edit.dispatch({
    type: 'change',
    values: Object.fromEntries(row.changes.map(({ field, to }) => [field, to as Value])),
    live: base,
  });
  const changes = row.changes.filter(isInTheWay).map(({ field, from, changedBy, changedAt }) => ({
    ...{ field, base: from as Value, current: current.values[field] ?? null },
    ...{ changedBy, changedAt },
  }));
  edit.dispatch({ type: 'meet', report: { currentETag: current.eTag, changes } });
  return edit;
}
