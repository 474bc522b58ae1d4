import {
  isProblem,
  type FieldChange,
  type CallOptions,
  type RefusedUpdate,
  type UpdateManyReport,
} from '@waybill/client';
import { client } from '../api.js';
import type { StatusStep } from '../board/change-status.js';
import type { Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { nextStatuses } from '../model/status.js';
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
  /** What others did to the same field. */
  readonly changes: readonly FieldChange[];
  /** Where somebody can decide: the version that the change would be made for, had they seen it. */
  readonly theirs?: Row;
}

/** How far it has come, and at the end what became of all. */
export interface Outcome {
  readonly updated: readonly string[];
  readonly refused: readonly RefusedChange[];
  /** Not tried, or nobody knows: the service did not answer, or somebody stopped it. */
  readonly left: readonly Row[];
  readonly fault?: unknown;
}

/** What one bulk carries. What a bulk has done is known, also when the next one gets no answer. */
const AT_ONCE = 200;

/** Changes each shipment for the version that was seen, merging what does not collide. */
export async function changeMany(
  change: ManyChange,
  shipments: readonly Row[],
  signal: AbortSignal,
  onProgress: (outcome: Outcome) => void,
): Promise<Outcome> {
  let outcome: Outcome = { updated: [], refused: [], left: shipments };
  while (outcome.left.length > 0) {
    const some = outcome.left.slice(0, AT_ONCE);
    try {
      const { updated, refused, unknown } = await send(change, some, { signal });
      rememberWrites(updated);
      placeShipments(updated);
      outcome = {
        updated: [...outcome.updated, ...updated.map(({ id }) => id)],
        refused: [...outcome.refused, ...refused.map((each) => refusalOf(change, some, each))],
        left: [...some.filter(({ id }) => unknown.some((each) => each.id === id)), ...outcome.left.slice(AT_ONCE)],
      };
      if (unknown[0] !== undefined) return { ...outcome, fault: unknown[0].error };
    } catch (fault) {
      return signal.aborted ? outcome : { ...outcome, fault };
    }
    onProgress(outcome);
  }
  return outcome;
}

function send(change: ManyChange, shipments: readonly Row[], options: CallOptions): Promise<UpdateManyReport<object>> {
  if (change.kind === 'field') {
    return client.shipments.updateMany(shipments, { [change.field]: change.value }, options);
  }
  const { status, rejectionReason } = change.step;
  const step = { status, ...(rejectionReason !== undefined && { rejectionReason }) };
  return client.shipments.updateStatusMany(shipments, step, options);
}

function refusalOf(
  change: ManyChange,
  shipments: readonly Row[],
  { id, error, conflict }: RefusedUpdate<object>,
): RefusedChange {
  const shipment = shipments.find((each) => each.id === id);
  if (shipment === undefined) throw new Error(`The service answered for ${id}, which was not sent.`);
  if (conflict === undefined) return { shipment, text: sentenceOf(error), changes: [] };
  const changes = conflict.changes.filter(({ conflicting }) => conflicting);
  const theirs: Row = { ...shipment, ...conflict.theirs };
  if (change.kind === 'status' && !nextStatuses(theirs.status).includes(change.step.status)) {
    const text = `From ${formatCode(theirs.status)} it can no longer go to ${formatCode(change.step.status)}.`;
    return { shipment, text, changes };
  }
  return { shipment, text: '', changes, theirs };
}

function sentenceOf(error: unknown): string {
  if (isProblem(error, 'NOT_FOUND')) return 'It was deleted meanwhile.';
  if (isProblem(error, 'VALIDATION_FAILED')) {
    return error.problem.errors.map(({ message }) => `The value ${message}.`).join(' ');
  }
  return explain(error);
}
