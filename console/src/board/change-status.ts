import { isProblem, mayBeDone, type ProblemOf, type Shipment, type ShipmentStatus } from '@waybill/client';
import { client } from '../api.js';
import { reportOf } from '../edit/report.js';
import { valuesOf } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import type { TheirChange } from '../model/merge.js';
import { hasWayBack } from '../model/status.js';
import { offerUndo } from '../undo/undo.js';
import { rememberWrite } from '../own-writes.js';
import { announce } from '../components/notice.js';
import { openPage } from '../components/open-page.js';
import { explain, explainOpen } from '../components/faults.js';
import { moveShipment } from '../placing.js';
import type { Row } from '../model/rows.js';
import { cache } from '../queries.js';
import { safely } from '../safely.js';
import { t } from '../texts/texts.js';

/** Why a status change was refused, and the current status of the shipment. */
export interface Refusal {
  readonly kind: 'changed' | 'notAllowed' | 'deleted' | 'fault' | 'unknown';
  readonly text: string;
  readonly changes: readonly TheirChange[];
  /** Set if the outcome is unknown: the attempt to repeat. */
  readonly attempt?: StatusAttempt | undefined;
  /** The version for the next attempt. */
  readonly eTag?: string | undefined;
  readonly status?: ShipmentStatus | undefined;
  readonly allowed?: readonly ShipmentStatus[] | undefined;
}

export interface StatusStep {
  readonly status: ShipmentStatus;
  readonly rejectionReason?: string | undefined;
}

/** A status change as sent. It is repeated until a response settles it. */
export interface StatusAttempt {
  readonly key: string;
  readonly eTag: string;
  readonly step: StatusStep;
}

export function newAttempt(eTag: string, step: StatusStep): StatusAttempt {
  return { key: crypto.randomUUID(), eTag, step };
}

/** Returns undefined on success. A refusal has changed nothing, unless its kind is `unknown`. `seen` is what the user saw when asked. */
export async function changeStatus(
  shipment: Row,
  attempt: StatusAttempt,
  { isRepeated = false, seen = shipment } = {},
): Promise<Refusal | undefined> {
  const { key, eTag, step } = attempt;
  const { status, rejectionReason } = step;
  try {
    const body = { status, ...(rejectionReason !== undefined && { rejectionReason }) };
    const options = { ifMatch: eTag, idempotencyKey: key };
    const written = await cache.during(() => client.shipments.patchStatus(shipment.id, body, options));
    safely(
      () => rememberWrite(written),
      () => moveShipment(shipment, written),
      () => announceChange(shipment, written),
    );
    return undefined;
  } catch (error) {
    if (isProblem(error, 'PRECONDITION_FAILED')) return changedSince(seen, error.problem).catch(refusalOf);
    if (!mayBeDone(error, isRepeated)) return refusalOf(error);
    return { kind: 'unknown', text: explainOpen(error, 'changed'), changes: [], attempt };
  }
}

async function changedSince(seen: Row, problem: ProblemOf<'PRECONDITION_FAILED'>): Promise<Refusal> {
  const { currentETag, changes } = await reportOf(problem, valuesOf(seen), () => client.shipments.get(seen.id));
  const status = changes.find(({ field }) => field === 'status')?.current as ShipmentStatus | undefined;
  return { kind: 'changed', text: '', changes, eTag: currentETag, status };
}

function refusalOf(error: unknown): Refusal {
  if (isProblem(error, 'STATUS_TRANSITION')) {
    const { detail, allowedStatuses } = error.problem;
    return { kind: 'notAllowed', text: detail, changes: [], allowed: allowedStatuses as ShipmentStatus[] };
  }
  if (isProblem(error, 'NOT_FOUND')) return { kind: 'deleted', text: '', changes: [] };
  if (isProblem(error, 'VALIDATION_FAILED')) {
    const text = error.problem.errors.map(({ message }) => t.board.reasonFault(message)).join(' ');
    return { kind: 'fault', text, changes: [] };
  }
  return { kind: 'fault', text: explain(error), changes: [] };
}

/** Offers to undo the change where the status table allows it. */
function announceChange(before: Row, written: Shipment): void {
  const text = t.board.changed(written.shipmentCode, formatCode(written.status));
  if (!hasWayBack(before.status, written.status)) announce(text);
  else offerUndo(text, { kind: 'status', shipment: { ...before, ...written }, status: before.status });
}

/** For a refusal that no dialog shows, because the user has left it. */
export function announceRefusal(shipment: Row, refusal: Refusal, sentence: (reason: string) => string): void {
  const { kind, text, attempt } = refusal;
  if (attempt === undefined) {
    const reasons: Readonly<Record<string, string>> = { changed: t.board.changedMeanwhile, deleted: t.board.deleted };
    // The page of a deleted shipment offers to restore it.
    const action = kind === 'deleted' ? openPage(`/shipments/${shipment.id}`) : undefined;
    announce(sentence(reasons[kind] ?? text), { isFault: true, ...(action && { action }) });
    return;
  }
  const repeat = async () => {
    const next = await changeStatus(shipment, attempt, { isRepeated: true });
    if (next !== undefined) announceRefusal(shipment, next, sentence);
  };
  announce(text, { isFault: true, isOpen: true, action: { label: t.actions.tryAgain, act: () => void repeat() } });
}
