import type { ShipmentStatus } from '@waybill/client';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { WasDeleted } from '../deleted/WasDeleted.js';
import { formatCode } from '../model/format.js';
import { hasWayBack, isFinal, nextStatuses } from '../model/status.js';
import { Dialog } from '../components/Dialog.js';
import { RejectionReason } from '../components/RejectionReason.js';
import { StatusMark } from '../components/StatusMark.js';
import { TheirChanges } from '../components/TheirChanges.js';
import { useTyped } from '../components/use-typed.js';
import { titleOf, type Row } from '../model/rows.js';
import { announceRefusal, changeStatus, newAttempt, type Refusal } from './change-status.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';

interface StatusDialogProps {
  readonly shipment: Row;
  /** The status that the user has already chosen. */
  readonly target?: ShipmentStatus | undefined;
  /** Why that change was refused. */
  readonly refusal?: Refusal | undefined;
  readonly onClose: () => void;
}

/** Asks for a status and the reason for a rejection. If the change is refused, explains why and keeps the input. */
export function StatusDialog({ shipment, target: asked, refusal: first, onClose }: StatusDialogProps) {
  const [refusal, setRefusal] = useState(first);
  const [target, setTarget] = useState(asked);
  const [reason, setReason, forgetReason] = useTyped(`reason ${shipment.id}`, '');
  const [isSaving, setIsSaving] = useState(false);
  const [seen] = useState(shipment);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const status = refusal?.status ?? seen.status;
  const allowed = refusal?.allowed ?? nextStatuses(status);
  const isReady = target !== undefined && allowed.includes(target) && (target !== 'REJECTED' || reason.trim() !== '');
  const open = refusal?.attempt;

  const save = async () => {
    if (!isReady || isSaving) return;
    setIsSaving(true);
    const step = { status: target, rejectionReason: target === 'REJECTED' ? reason : undefined };
    const attempt = open ?? newAttempt(refusal?.eTag ?? seen.eTag, step);
    const next = await changeStatus({ ...shipment, status }, attempt, { isRepeated: open !== undefined, seen });
    setIsSaving(false);
    if (isLeft.current) {
      if (next !== undefined) announceRefusal(shipment, next, t.board.notChanged(shipment.shipmentCode));
    } else if (next === undefined) {
      forgetReason();
      onClose();
    } else {
      // Keeps the version that the user has seen if this refusal does not name one.
      setRefusal({ ...next, eTag: next.eTag ?? refusal?.eTag, status: next.status ?? refusal?.status });
    }
  };

  if (refusal?.kind === 'deleted') {
    return (
      <WasDeleted kind="shipment" id={shipment.id} history={{ kind: 'shipment', id: shipment.id }} onClose={onClose}>
        {() => <p>{t.calendar.unchanged}</p>}
      </WasDeleted>
    );
  }
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {open !== undefined ? t.actions.close : refusal === undefined ? t.actions.cancel : t.actions.leave}
      </button>
      <button
        type="button"
        className={controls.primary}
        disabled={!isReady}
        aria-disabled={isSaving}
        onClick={() => void save()}
      >
        {open !== undefined
          ? t.actions.tryAgain
          : target === undefined
            ? t.actions.changeStatus
            : t.board.changeTo(formatCode(target))}
      </button>
    </>
  );
  return (
    <Dialog title={t.board.changeOf(titleOf(shipment))} isSmall onClose={onClose} foot={foot}>
      {refusal === undefined ? null : (
        <Explanation id={shipment.id} refusal={refusal} target={target} allowed={allowed} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <fieldset className={controls.choices} disabled={open !== undefined}>
          <legend>
            <Rich>{t.board.fromTo(<StatusMark status={status} />)}</Rich>
          </legend>
          {allowed.length === 0 ? <p>{t.board.final}</p> : null}
          {allowed.map((next) => (
            <label key={next} className={controls.choice}>
              <input
                type="radio"
                name="status"
                value={next}
                checked={target === next}
                onChange={() => setTarget(next)}
              />
              {formatCode(next)}
            </label>
          ))}
        </fieldset>
        {(target === 'REJECTED' || reason !== '') && open === undefined ? (
          <RejectionReason value={reason} onChange={setReason} />
        ) : null}
        {target === undefined ? null : <p className={text.hint}>{wayBackOf(status, target)}</p>}
      </form>
    </Dialog>
  );
}

function wayBackOf(from: ShipmentStatus, to: ShipmentStatus): string {
  if (isFinal(to)) return t.board.isFinal(formatCode(to));
  if (hasWayBack(from, to)) return t.board.canUndo;
  return t.board.noWayBack(formatCode(from));
}

interface ExplanationProps {
  readonly id: string;
  readonly refusal: Refusal;
  readonly target: ShipmentStatus | undefined;
  readonly allowed: readonly ShipmentStatus[];
}

function Explanation({ id, refusal, target, allowed }: ExplanationProps) {
  const paragraph = (text: ReactNode) => (
    <div className={page.explanation} role="alert">
      {text}
    </div>
  );
  if (refusal.kind !== 'changed') return paragraph(<p>{refusal.text}</p>);
  const isStillAllowed = target !== undefined && allowed.includes(target);
  return paragraph(
    <>
      <p>{t.board.hasChanged}</p>
      <TheirChanges recordID={id} changes={refusal.changes} />
      {refusal.status === undefined || isStillAllowed ? (
        <p>{t.board.anyway}</p>
      ) : (
        <p>{t.board.noLonger(formatCode(refusal.status), formatCode(target ?? ''))}</p>
      )}
    </>,
  );
}
