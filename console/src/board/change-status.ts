import { isProblem, mayBeDone, type FieldChange, type Shipment, type ShipmentStatus } from '@waybill/client';
import { client } from '../api.js';
import { rememberWrite } from '../own-writes.js';
import { explain, explainOpen } from '../parts/faults.js';
import { columnQuery, placeShipment, queryClient, type Row, type Rows } from '../queries.js';

/** Why a status change was refused, and the current status of the shipment. */
export interface Refusal {
  readonly kind: 'changed' | 'notAllowed' | 'deleted' | 'fault' | 'unknown';
  readonly text: string;
  readonly changes: readonly FieldChange[];
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

/** Returns undefined on success. A refusal has changed nothing, unless its kind is `unknown`. */
export async function changeStatus(
  shipment: Row,
  attempt: StatusAttempt,
  isRepeated = false,
): Promise<Refusal | undefined> {
  const { key, eTag, step } = attempt;
  const { status, rejectionReason } = step;
  try {
    const body = { status, ...(rejectionReason !== undefined && { rejectionReason }) };
    const written = await client.shipments.patchStatus(shipment.id, body, { ifMatch: eTag, idempotencyKey: key });
    rememberWrite(written);
    moveCard(shipment, written);
    return undefined;
  } catch (error) {
    if (!mayBeDone(error, isRepeated)) return refusalOf(error);
    return { kind: 'unknown', text: explainOpen(error, 'moved'), changes: [], attempt };
  }
}

function refusalOf(error: unknown): Refusal {
  if (isProblem(error, 'PRECONDITION_FAILED')) {
    const { currentETag, changes = [] } = error.problem;
    const status = changes.find(({ field }) => field === 'status')?.current as ShipmentStatus | undefined;
    return { kind: 'changed', text: '', changes, eTag: currentETag, status };
  }
  if (isProblem(error, 'STATUS_TRANSITION')) {
    const { detail, allowedStatuses } = error.problem;
    return { kind: 'notAllowed', text: detail, changes: [], allowed: allowedStatuses as ShipmentStatus[] };
  }
  if (isProblem(error, 'NOT_FOUND')) return { kind: 'deleted', text: '', changes: [] };
  if (isProblem(error, 'VALIDATION_FAILED')) {
    const text = error.problem.errors.map(({ message }) => `The reason ${message}.`).join(' ');
    return { kind: 'fault', text, changes: [] };
  }
  return { kind: 'fault', text: explain(error), changes: [] };
}

/** Shows the user's own change at once, at the top of the new column. */
function moveCard(before: Row, written: Shipment): void {
  placeShipment(written);
  const moved: Row = { ...before, ...written };
  const isOther = ({ id }: Row) => id !== written.id;
  const change = (status: ShipmentStatus, items: (rows: readonly Row[], page: number) => readonly Row[]) =>
    queryClient.setQueryData<Rows>(columnQuery(status).queryKey, (rows) => {
      if (rows === undefined) return rows;
      return { ...rows, pages: rows.pages.map((page, index) => ({ ...page, items: items(page.items, index) })) };
    });
  change(before.status, (rows) => rows.filter(isOther));
  change(written.status, (rows, page) => (page === 0 ? [moved, ...rows.filter(isOther)] : rows.filter(isOther)));
}
