import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../parts/Dialog.js';
import type { Row } from '../queries.js';
import { AskField, AskStatus } from './AskChange.js';
import { changeMany, type ManyChange, type Outcome } from './change-many.js';
import { Report } from './Report.js';

interface ManyDialogProps {
  readonly what: 'status' | 'field';
  readonly shipments: readonly Row[];
  /** With those that were not changed, once something was tried. */
  readonly onClose: (left: readonly string[] | undefined) => void;
}

/** One change for many shipments: asks for it, shows how far it has come, and what was refused, to be settled. */
export default function ManyDialog({ what, shipments, onClose }: ManyDialogProps) {
  const [change, setChange] = useState<ManyChange>();
  const [outcome, setOutcome] = useState<Outcome>({ updated: [], refused: [], left: shipments });
  const [isRunning, setIsRunning] = useState(false);
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  /** Adds what comes of some shipments to what came of the others. */
  const run = async (next: ManyChange, some: readonly Row[], before: Pick<Outcome, 'updated' | 'refused'>) => {
    setChange(next);
    setIsRunning(true);
    stopping.current = new AbortController();
    const withBefore = (part: Outcome): Outcome => ({
      ...part,
      updated: [...before.updated, ...part.updated],
      refused: [...before.refused, ...part.refused],
    });
    const result = await changeMany(next, some, stopping.current.signal, (part) => setOutcome(withBefore(part)));
    setOutcome(withBefore(result));
    setIsRunning(false);
  };

  const close = () => {
    if (isRunning) {
      stopping.current?.abort();
      return;
    }
    const done = new Set(outcome.updated);
    onClose(change && shipments.map(({ id }) => id).filter((id) => !done.has(id)));
  };

  const count = shipments.length === 1 ? '1 shipment' : `${shipments.length.toLocaleString()} shipments`;
  if (change === undefined) {
    const Ask = what === 'status' ? AskStatus : AskField;
    return (
      <Ask
        title={count}
        shipments={shipments}
        onClose={close}
        onChange={(next, some) => void run(next, some, outcome)}
      />
    );
  }
  if (isRunning) {
    const done = outcome.updated.length + outcome.refused.length;
    const foot = (
      <button type="button" onClick={close}>
        Stop
      </button>
    );
    return (
      <Dialog key="running" title={`Changing ${count}`} className="small" onClose={close} foot={foot}>
        <label className="running">
          <span role="status">
            {done.toLocaleString()} of {(done + outcome.left.length).toLocaleString()} done
          </span>
          <progress value={done} max={done + outcome.left.length} />
        </label>
      </Dialog>
    );
  }
  return (
    <Report
      change={change}
      outcome={outcome}
      onClose={close}
      onGoOn={() => void run(change, outcome.left, outcome)}
      onSettle={(mine, rest) => void run(change, mine, { updated: outcome.updated, refused: rest })}
    />
  );
}
