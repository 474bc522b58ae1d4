import {
  isProblem,
  mayBeDone,
  type RefusedUpdate,
  type Shipment,
  type UpdateManyOptions,
  type UpdateManyReport,
} from '@waybill/client';
import { client } from '../api.js';
import { valuesOf, type Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { differences, type TheirChange } from '../model/merge.js';
import { nextStatuses } from '../model/status.js';
import type { StatusStep } from '../board/change-status.js';
import { rememberWrites } from '../own-writes.js';
import { explain } from '../parts/faults.js';
import { placeShipments, type Row } from '../queries.js';

/** What is to become of every shipment. */
export type ManyChange =
  | { readonly kind: 'status'; readonly step: StatusStep }
  | { readonly kind: 'field'; readonly field: string; readonly value: Value };

/** A shipment that was not changed, and why. */
export interface RefusedChange {
  readonly shipment: Row;
  readonly text: string;
  /** What others did to it since it was seen. */
  readonly changes: readonly TheirChange[];
  /** Where somebody can decide: the version that the change would be made for, had they seen it. */
  readonly theirs?: Row;
}

/** How far it has come, and at the end the result for each. */
export interface Outcome {
  readonly updated: readonly string[];
  readonly refused: readonly RefusedChange[];
  /** Sent, and it is not known whether they were changed. */
  readonly unknown: readonly Row[];
  /** Not changed, and not tried or not to the end. */
  readonly left: readonly Row[];
  readonly fault?: unknown;
}

export const NOTHING_DONE: Outcome = { updated: [], refused: [], unknown: [], left: [] };

/** What one bulk carries. The result of a bulk is known, also when the next one gets no answer. */
const AT_ONCE = 200;
/** Others may keep changing a shipment while what they did is merged. */
const MAX_MERGES = 20;

/**
 * Changes the shipments of `unknown` and `left`, each for the version that was seen. Called again with the same key after an answer that
 * settles nothing, it does nothing twice.
 */
export async function changeMany(
  change: ManyChange,
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
    try {
      const { updated, refused, unknown } = await send(change, some, { signal, idempotencyKey: key, attempts: 1 });
      const isUnsettled = unknown.length > 0 || refused.some(({ error }) => error.status === 503);
      if (isUnsettled) return { ...outcome, unknown: some, left: rest };
      rememberWrites(updated);
      placeShipments(updated);
      const results = refused.map((each) => resultOf(change, some, each, merges));
      outcome = {
        ...outcome,
        updated: [...outcome.updated, ...updated.map(({ id }) => id)],
        refused: [...outcome.refused, ...results.filter(isRefused)],
        left: [...rest, ...results.flatMap((result) => (isRefused(result) ? [] : [result]))],
      };
    } catch (fault) {
      if (!mayBeDone(fault, isOpen)) return { ...outcome, fault };
      return { ...outcome, unknown: some, left: rest };
    }
    isOpen = false;
    onProgress(outcome);
  }
  return outcome;
}

/** Each shipment is sent once: what others did meanwhile is judged here. */
function send(
  change: ManyChange,
  shipments: readonly Row[],
  options: Pick<UpdateManyOptions<never>, 'signal' | 'idempotencyKey' | 'attempts'>,
): Promise<UpdateManyReport<object>> {
  if (change.kind === 'field') {
    return client.shipments.updateMany(shipments, { [change.field]: change.value }, options);
  }
  const { status, rejectionReason } = change.step;
  const step = { status, ...(rejectionReason !== undefined && { rejectionReason }) };
  return client.shipments.updateStatusMany(shipments, step, options);
}

function isRefused(result: RefusedChange | Row): result is RefusedChange {
  return 'shipment' in result;
}

/** Why a shipment was not changed, or its newer version, which nothing speaks against. */
function resultOf(
  change: ManyChange,
  shipments: readonly Row[],
  { id, error, conflict }: RefusedUpdate<object>,
  merges: Map<string, number>,
): RefusedChange | Row {
  const shipment = shipments.find((each) => each.id === id);
  if (shipment === undefined) throw new Error(`The service answered for ${id}, which was not sent.`);
  if (conflict === undefined) return { shipment, text: sentenceOf(error), changes: [] };
  const theirs: Row = { ...shipment, ...conflict.theirs };
  const changes = changesSince(shipment, theirs).map((each) => {
    const { changedBy, changedAt } = conflict.changes.find(({ field }) => field === each.field) ?? {};
    return { ...each, changedBy, changedAt };
  });
  if (hasToBeAsked(change, changes)) {
    if (change.kind === 'field' || nextStatuses(theirs.status).includes(change.step.status)) {
      return { shipment, text: '', changes, theirs };
    }
    const text = `From ${formatCode(theirs.status)} it can no longer go to ${formatCode(change.step.status)}.`;
    return { shipment, text, changes };
  }
  const count = (merges.get(id) ?? 0) + 1;
  merges.set(id, count);
  return count > MAX_MERGES ? { shipment, text: 'Others keep changing it.', changes } : theirs;
}

/** A change of the status is always a reason to ask; other fields are when both sides want different values. */
function hasToBeAsked(change: ManyChange, changes: readonly TheirChange[]): boolean {
  return changes.some(
    ({ field, current }) =>
      field === 'status' || (change.kind === 'field' && field === change.field && current !== change.value),
  );
}

/** What happened to a shipment between two versions of it. */
export function changesSince(seen: Shipment, now: Shipment): TheirChange[] {
  return differences(valuesOf(seen), valuesOf(now));
}

function sentenceOf(error: unknown): string {
  if (isProblem(error, 'NOT_FOUND')) return 'It was deleted meanwhile.';
  if (isProblem(error, 'VALIDATION_FAILED')) {
    return error.problem.errors.map(({ message }) => `The value ${message}.`).join(' ');
  }
  return explain(error);
}
