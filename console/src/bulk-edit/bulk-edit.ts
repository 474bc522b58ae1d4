import {
  isProblem,
  mayBeDone,
  type RefusedUpdate,
  type Shipment,
  type ShipmentStatus,
  type UpdateManyOptions,
  type UpdateManyReport,
} from '@waybill/client';
import { client } from '../api.js';
import { valuesOf, type Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { differences, type TheirChange } from '../model/merge.js';
import { hasWayBack, nextStatuses } from '../model/status.js';
import type { StatusStep } from '../board/change-status.js';
import { rememberWrites } from '../own-writes.js';
import { explain } from '../components/faults.js';
import type { BulkUndo } from '../undo/undo.js';
import { safely } from '../safely.js';
import type { Row } from '../model/rows.js';
import { cache } from '../queries.js';
import { t } from '../texts/texts.js';

/** The change to apply to every shipment. */
export type BulkEdit =
  | { readonly kind: 'status'; readonly step: StatusStep }
  | { readonly kind: 'field'; readonly field: string; readonly value: Value }
  | BulkUndo;

/** A shipment that was changed, in the version that this produced, and the value that it replaced. */
export interface Made {
  readonly shipment: Row;
  readonly before: Value;
}

/** A shipment that was not changed, and why. */
export interface RefusedChange {
  readonly shipment: Row;
  readonly text: string;
  /** Changes by others since the user saw it. */
  readonly changes: readonly TheirChange[];
  /** Set if the user can decide: the current version, to which the change would be applied. */
  readonly theirs?: Row;
}

/** Progress so far and, at the end, the result of each shipment. */
export interface Outcome {
  readonly updated: readonly string[];
  /** Those of them that this page has changed. After a reload, it does not know of others. */
  readonly made: readonly Made[];
  readonly refused: readonly RefusedChange[];
  /** Sent, but it is unknown whether they were changed. */
  readonly unknown: readonly Row[];
  /** Not changed yet. */
  readonly left: readonly Row[];
  readonly fault?: unknown;
}

export const NOTHING_DONE: Outcome = { updated: [], made: [], refused: [], unknown: [], left: [] };

/** Size of a bulk. Its result is known even if the next bulk fails. */
const AT_ONCE = 200;
/** Limits the merges of a shipment that others keep changing. */
const MAX_MERGES = 20;

/**
 * Changes the shipments in `unknown` and `left`, each against the version that the user saw. After an unknown outcome it can be called
 * again with the same key: nothing is written twice.
 */
export async function editInBulk(
  change: BulkEdit,
  before: Outcome,
  key: string,
  signal: AbortSignal,
  onProgress: (outcome: Outcome) => void,
): Promise<Outcome> {
  let isOpen = before.unknown.length > 0;
  let outcome: Outcome = { ...before, unknown: [], left: [...before.unknown, ...before.left], fault: undefined };
  const merges = new Map<string, number>();
  while (outcome.left.length > 0) {
    const count = isOpen ? before.unknown.length : AT_ONCE;
    const [some, rest] = [outcome.left.slice(0, count), outcome.left.slice(count)];
    // Until a response says more, for a user who leaves now.
    onProgress({ ...outcome, unknown: some, left: rest });
    try {
      const options = { signal, idempotencyKey: key, attempts: 1 };
      const { updated, refused, unknown } = await cache.during(() => send(change, some, options));
      const isUnsettled = unknown.length > 0 || refused.some(({ error }) => error.status === 503);
      if (isUnsettled) return { ...outcome, unknown: some, left: rest };
      safely(
        () => rememberWrites(updated),
        () => cache.put(updated),
      );
      // Done by an attempt whose key the service has forgotten, or undone by another tab.
      const done = isOpen || change.kind === 'undo' ? refused.filter((each) => isDone(change, each)) : [];
      const results = refused
        .filter((each) => !done.includes(each))
        .map((each) => resultOf(change, some, each, merges));
      outcome = {
        ...outcome,
        updated: [...outcome.updated, ...[...updated, ...done].map(({ id }) => id)],
        made: [...outcome.made, ...updated.flatMap((written) => madeOf(change, some, written))],
        refused: [...outcome.refused, ...results.filter(isRefused)],
        left: [...rest, ...results.flatMap((result) => (isRefused(result) ? [] : [result]))],
      };
    } catch (fault) {
      if (!mayBeDone(fault, isOpen)) return { ...outcome, fault };
      return { ...outcome, unknown: some, left: rest };
    }
    isOpen = false;
  }
  return outcome;
}

/** Sends each shipment once: the caller handles concurrent changes. */
function send(
  change: BulkEdit,
  shipments: readonly Row[],
  options: Pick<UpdateManyOptions<never>, 'signal' | 'idempotencyKey' | 'attempts'>,
): Promise<UpdateManyReport<object>> {
  const field = fieldOf(change);
  if (field !== 'status') {
    return client.shipments.updateMany(shipments, ({ id }) => ({ [field]: valueFor(change, id) }), options);
  }
  const rejectionReason = change.kind === 'status' ? change.step.rejectionReason : undefined;
  const step = ({ id }: { readonly id: string }) => ({
    status: valueFor(change, id) as ShipmentStatus,
    ...(rejectionReason !== undefined && { rejectionReason }),
  });
  return client.shipments.updateStatusMany(shipments, step, options);
}

/** The field that is changed. */
export function fieldOf(change: BulkEdit): string {
  return change.kind === 'status' ? 'status' : change.field;
}

/** The value that it gets. */
export function valueFor(change: BulkEdit, id: string): Value {
  if (change.kind === 'undo') return change.before[id] ?? null;
  return change.kind === 'status' ? change.step.status : change.value;
}

function madeOf(change: BulkEdit, sent: readonly Row[], written: Shipment): Made[] {
  const shipment = sent.find(({ id }) => id === written.id);
  if (shipment === undefined) return [];
  return [{ shipment: { ...shipment, ...written }, before: valuesOf(shipment)[fieldOf(change)] ?? null }];
}

/** What it takes to undo a change: all of what was changed, unless the status has no way back. */
export function undoOf(change: BulkEdit, { made, updated }: Outcome) {
  const field = fieldOf(change);
  const canGoBack = ({ shipment, before }: Made) =>
    field !== 'status' || hasWayBack(before as ShipmentStatus, shipment.status);
  const some = made.filter(canGoBack);
  if (change.kind === 'undo' || some.length === 0 || made.length < updated.length) return undefined;
  const before = Object.fromEntries(some.map((each) => [each.shipment.id, each.before]));
  const undo: BulkUndo = { kind: 'undo', field, before };
  return { change: undo, shipments: some.map(({ shipment }) => shipment) };
}

/** Whether a shipment has the value already that it was to get. A change of a field is simply made again. */
function isDone(change: BulkEdit, { id, conflict }: RefusedUpdate<object>): boolean {
  const field = fieldOf(change);
  if (conflict === undefined || (field !== 'status' && change.kind !== 'undo')) return false;
  return (valuesOf(conflict.theirs)[field] ?? null) === valueFor(change, id);
}

function isRefused(result: RefusedChange | Row): result is RefusedChange {
  return 'shipment' in result;
}

/** Why a shipment was not changed, or its newer version if the change can be retried against it. */
function resultOf(
  change: BulkEdit,
  shipments: readonly Row[],
  { id, error, conflict }: RefusedUpdate<object>,
  merges: Map<string, number>,
): RefusedChange | Row {
  const shipment = shipments.find((each) => each.id === id);
  if (shipment === undefined) throw new Error(`The response contains ${id}, which was not in the request.`);
  if (conflict === undefined) return { shipment, text: sentenceOf(error), changes: [] };
  const theirs: Row = { ...shipment, ...conflict.theirs };
  const changes = changesSince(shipment, theirs).map((each) => {
    const { changedBy, changedAt } = conflict.changes.find(({ field }) => field === each.field) ?? {};
    return { ...each, changedBy, changedAt };
  });
  if (hasToBeAsked(change, shipment, changes)) {
    const wanted = valueFor(change, id) as ShipmentStatus;
    if (fieldOf(change) !== 'status' || nextStatuses(theirs.status).includes(wanted)) {
      return { shipment, text: '', changes, theirs };
    }
    const text = t.board.noLonger(formatCode(theirs.status), formatCode(wanted));
    return { shipment, text, changes };
  }
  const count = (merges.get(id) ?? 0) + 1;
  merges.set(id, count);
  return count > MAX_MERGES ? { shipment, text: t.bulkEdit.othersKeep, changes } : theirs;
}

/**
 * Asks if the status changed, or if both sides want different values of the field. Before an undo everything that others changed is shown:
 * they may have relied on what is undone.
 */
function hasToBeAsked(change: BulkEdit, { id }: Row, changes: readonly TheirChange[]): boolean {
  const isAnotherValue = ({ field, current }: TheirChange) =>
    field === fieldOf(change) && current !== valueFor(change, id);
  if (change.kind === 'undo') return changes.some((each) => each.field !== change.field || isAnotherValue(each));
  return changes.some((each) => each.field === 'status' || isAnotherValue(each));
}

/** The changes between two versions of a shipment. */
export function changesSince(seen: Shipment, now: Shipment): TheirChange[] {
  return differences(valuesOf(seen), valuesOf(now));
}

function sentenceOf(error: unknown): string {
  if (isProblem(error, 'NOT_FOUND')) return t.bulkEdit.isDeleted;
  if (isProblem(error, 'VALIDATION_FAILED')) {
    return error.problem.errors.map(({ message }) => t.bulkEdit.valueFault(message)).join(' ');
  }
  return explain(error);
}
