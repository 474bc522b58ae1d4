import { isProblem, mayBeDone, type FieldChange } from '@waybill/client';
import { useState } from 'react';
import { removePart, type Part, type PartKind } from '../edit/records.js';
import { announce } from '../parts/announce.js';
import { Dialog } from '../parts/Dialog.js';
import { Fault } from '../parts/Fault.js';
import { explainOpen } from '../parts/faults.js';
import { TheirChanges } from '../parts/TheirChanges.js';

interface RemoveDialogProps {
  readonly kind: PartKind;
  readonly part: Part;
  readonly name: string;
  readonly onClose: () => void;
}

/** Removes the version that the user saw. If others changed it, shows the changes and asks again. */
export function RemoveDialog({ kind, part, name, onClose }: RemoveDialogProps) {
  // The key belongs to the version, so that a retry after an unknown outcome returns the original result.
  const [{ eTag, key }, setTarget] = useState(() => ({ eTag: part.eTag, key: crypto.randomUUID() }));
  const [isOpen, setIsOpen] = useState(false);
  const [changes, setChanges] = useState<readonly FieldChange[]>([]);
  const [fault, setFault] = useState<unknown>();
  const [isSaving, setIsSaving] = useState(false);

  const finish = (sentence: string) => {
    announce(sentence);
    onClose();
  };
  const remove = async () => {
    setIsSaving(true);
    setFault(undefined);
    try {
      await removePart(kind, part, { ifMatch: eTag, idempotencyKey: key });
      finish(`${name} was removed.`);
    } catch (error) {
      const mayBeRemoved = mayBeDone(error, isOpen);
      setIsOpen(mayBeRemoved);
      if (mayBeRemoved) setFault(explainOpen(error, 'removed'));
      else if (isProblem(error, 'NOT_FOUND')) finish(`${name} was already removed.`);
      else if (isProblem(error, 'PRECONDITION_FAILED') && error.problem.currentETag !== undefined) {
        setTarget({ eTag: error.problem.currentETag, key: crypto.randomUUID() });
        setChanges(error.problem.changes ?? []);
      } else setFault(error);
    } finally {
      setIsSaving(false);
    }
  };

  const isChanged = eTag !== part.eTag;
  const foot = (
    <>
      <Fault error={fault} />
      <button type="button" onClick={onClose}>
        {isOpen ? 'Close' : 'Keep'}
      </button>
      <button type="button" className="primary" disabled={isSaving} onClick={() => void remove()}>
        {isOpen ? 'Try again' : isChanged ? 'Remove anyway' : 'Remove'}
      </button>
    </>
  );
  return (
    <Dialog title={`Remove ${name}?`} className="small" onClose={onClose} foot={foot}>
      {isChanged ? (
        <div className="explanation" role="alert">
          <p>Not removed, because the {kind} has changed since you saw it:</p>
          <TheirChanges recordID={part.id} changes={changes} />
        </div>
      ) : (
        <p>The {kind} is removed from this shipment. The timeline keeps its history.</p>
      )}
    </Dialog>
  );
}
