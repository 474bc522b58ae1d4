import { useEffect, useEffectEvent, useState } from 'react';
import { announceRefusal, changeStatus, newAttempt, type Refusal } from '../board/change-status.js';
import { StatusDialog } from '../board/StatusDialog.js';
import { announce } from '../components/notice.js';
import { t } from '../texts/texts.js';
import type { Undoable } from './undo.js';
import { useLeave } from './use-leave.js';

type UndoStatusProps = Extract<Undoable, { kind: 'status' }> & { readonly onOver: () => void };

/** What the dialog of the status explains better than a notice. */
const ASKED: readonly Refusal['kind'][] = ['changed', 'notAllowed', 'deleted'];

/** Changes a status back. If somebody changed or deleted the shipment meanwhile, the dialog of the status asks. */
export function UndoStatus({ shipment, status, onOver }: UndoStatusProps) {
  const [attempt] = useState(() => newAttempt(shipment.eTag, { status }));
  const [refusal, setRefusal] = useState<Refusal>();
  const answered = useEffectEvent((refused: Refusal | undefined) => {
    if (refused?.kind === 'changed' && refused.status === status) {
      // By another tab, or by somebody else.
      announce(t.undo.already(shipment.shipmentCode));
      onOver();
      return;
    }
    if (refused !== undefined && ASKED.includes(refused.kind)) {
      setRefusal(refused);
      return;
    }
    if (refused !== undefined) announceRefusal(shipment, refused, t.undo.notDone(shipment.shipmentCode));
    onOver();
  });
  useEffect(() => void changeStatus(shipment, attempt).then(answered), [shipment, attempt]);
  useLeave(refusal !== undefined, onOver);
  if (refusal === undefined) return null;
  return <StatusDialog shipment={shipment} target={status} refusal={refusal} onClose={onOver} />;
}
