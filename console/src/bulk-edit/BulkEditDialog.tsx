import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Dialog } from '../components/Dialog.js';
import { announce } from '../components/notice.js';
import type { Row } from '../model/rows.js';
import { offerUndo, undo } from '../undo/undo.js';
import { AskField, AskStatus } from './AskChange.js';
import { editInBulk, NOTHING_DONE, undoOf, type BulkEdit, type Outcome } from './bulk-edit.js';
import { forgetChange, keepChange, leaveChanges, type KeptChange } from './kept-change.js';
import { ChangedSince, isChanged } from './ChangedSince.js';
import { NotKept } from './NotKept.js';
import { Report } from './Report.js';
import type { Chosen } from './use-selection.js';
import { Progress } from '../components/Progress.js';
import { t } from '../texts/texts.js';

interface BulkEditDialogProps {
  readonly what?: 'status' | 'field';
  readonly chosen: readonly Chosen[];
  /** A change that was interrupted, instead of a new one. */
  readonly kept?: KeptChange;
  /** Whether to continue `kept` without asking. */
  readonly isBegun?: boolean;
  /** Called with the ids that were not changed, if anything was attempted. */
  readonly onClose: (left: readonly string[] | undefined) => void;
}

/** The requested change. Its bulks are repeated under this key until responses settle them. */
interface Asked {
  readonly change: BulkEdit;
  readonly key: string;
}

/** One change to many shipments: asks for it, shows the progress, and lets the user resolve refused ones. */
export default function BulkEditDialog({ what, chosen, kept, isBegun = false, onClose }: BulkEditDialogProps) {
  const [shipments, setShipments] = useState<readonly Row[] | undefined>(
    chosen.some(isChanged) ? undefined : chosen.map(({ seen }) => seen),
  );
  const [asked, setAsked] = useState<Asked | undefined>(kept);
  const [outcome, setOutcome] = useState(kept?.outcome ?? NOTHING_DONE);
  const [isRunning, setIsRunning] = useState(isBegun);
  const stopping = useRef<AbortController>(undefined);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      stopping.current?.abort();
      leaveChanges();
    };
  }, []);

  const show = (next: Asked, now: Outcome) => {
    keepChange({ ...next, outcome: now }, !isLeft.current);
    setOutcome(now);
  };
  const end = (next: Asked, last: Outcome) => {
    show(next, last);
    setIsRunning(false);
    const open = last.refused.length + last.unknown.length + last.left.length;
    if (next.change.kind !== 'undo' || open > 0 || isLeft.current) return;
    forgetChange(next.key);
    announce(t.undo.doneMany(t.bulkEdit.shipments(last.updated.length)));
    onClose(undefined);
  };
  const proceed = async (next: Asked, before: Outcome) => {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    await editInBulk(next.change, before, next.key, signal, (now) => show(next, now)).then((last) => end(next, last));
  };
  const begin = useEffectEvent(() => {
    if (isBegun && kept !== undefined) void proceed(kept, kept.outcome);
  });
  useEffect(() => begin(), []);

  /** Continues with the remaining shipments and adds to the previous results. */
  const run = async (next: Asked, before: Outcome) => {
    setAsked(next);
    setIsRunning(true);
    await proceed(next, before);
  };

  const close = () => {
    if (isRunning) {
      stopping.current?.abort();
      return;
    }
    // Otherwise the outcome is unknown, and the banner of the console keeps saying so.
    if (asked !== undefined && outcome.unknown.length === 0) forgetChange(asked.key);
    const undoable = asked && undoOf(asked.change, outcome);
    if (undoable !== undefined) {
      offerUndo(t.undo.changedMany(t.bulkEdit.shipments(outcome.updated.length)), { kind: 'many', ...undoable });
    }
    leave();
  };
  const leave = () => {
    const done = new Set(outcome.updated);
    onClose(asked && chosen.map(({ now }) => now.id).filter((id) => !done.has(id)));
  };

  if (shipments === undefined) return <ChangedSince chosen={chosen} onClose={close} onGoOn={setShipments} />;
  if (asked === undefined) {
    const Ask = what === 'status' ? AskStatus : AskField;
    return (
      <Ask
        title={t.bulkEdit.shipments(shipments.length)}
        shipments={shipments}
        onClose={close}
        onChange={(change, left) => void run({ change, key: crypto.randomUUID() }, { ...NOTHING_DONE, left })}
      />
    );
  }
  if (isRunning) {
    const done = outcome.updated.length + outcome.refused.length;
    const all = done + outcome.unknown.length + outcome.left.length;
    const foot = (
      <button type="button" onClick={close}>
        {t.bulkEdit.stop}
      </button>
    );
    return (
      <Dialog key="running" title={t.bulkEdit.changing(t.bulkEdit.shipments(all))} isSmall onClose={close} foot={foot}>
        <Progress done={done} of={all}>
          {t.bulkEdit.done(done, all)}
        </Progress>
        <NotKept />
      </Dialog>
    );
  }
  return (
    <Report
      change={asked.change}
      outcome={outcome}
      onClose={close}
      onUndo={() => {
        const undoable = undoOf(asked.change, outcome);
        forgetChange(asked.key);
        leave();
        if (undoable !== undefined) undo({ kind: 'many', ...undoable });
      }}
      onGoOn={() => void run(asked, outcome)}
      onSettle={(mine, refused) => void run(asked, { ...outcome, refused, left: [...outcome.left, ...mine] })}
    />
  );
}
