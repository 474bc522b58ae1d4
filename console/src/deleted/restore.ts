import { isProblem, mayBeDone, type Deletion, type WriteCallOptions } from '@waybill/client';
import { client } from '../api.js';
import { authorOf } from '../author.js';
import type { Copy, Resource } from '../model/held-records.js';
import type { Hindrance, Response, Step } from '../model/restoring.js';
import { rememberWrite } from '../own-writes.js';
import { explain, explainOpen } from '../components/faults.js';
import { cache } from '../queries.js';
import { safely } from '../safely.js';
import { session } from '../session/session.js';
import { t } from '../texts/texts.js';

const RECORDS: Readonly<Record<Resource, Restorable>> = {
  shipment: client.shipments,
  move: client.moves,
  agent: client.agents,
  service: client.services,
};

interface Restorable {
  undelete(id: string, deletionETag: string, options: WriteCallOptions): Promise<Copy>;
}

/** Restores one record. */
export async function restore({ kind, id, deletionETag, key }: Step, isRepeated: boolean): Promise<Response> {
  try {
    const options = { idempotencyKey: key };
    const restored = await cache.during(() => RECORDS[kind].undelete(id, deletionETag, options));
    safely(
      () => rememberWrite(restored),
      () => cache.put([restored]),
    );
    return { kind: 'restored' };
  } catch (error) {
    return responseOf(error, isRepeated);
  }
}

const HINDRANCES: readonly Hindrance[] = ['NOT_KEPT', 'ERASED', 'PARENT_DELETED', 'DUPLICATE', 'PRECONDITION_FAILED'];

function responseOf(error: unknown, isRepeated: boolean): Response {
  if (isProblem(error, 'NOT_DELETED')) {
    const { restoredBy, restoredAt } = error.problem;
    return { kind: 'already', by: restoredBy, at: restoredAt };
  }
  if (mayBeDone(error, isRepeated)) return { kind: 'unknown', text: explainOpen(error, 'restored') };
  const hindrance = HINDRANCES.find((code) => isProblem(error, code));
  return {
    kind: 'refused',
    hindrance,
    text: hindrance === undefined ? explain(error) : t.deleted.hindrances[hindrance],
  };
}

/** Reads what is on the screen again, with what was restored. Lists of deletions only mark it. */
export function showRestored(): void {
  cache.outdate(({ queryKey: [name] }) => name !== 'deletions');
}

/** A sentence about a record that somebody else restored. */
export function alreadySentence(id: string, { by, at }: Extract<Response, { readonly kind: 'already' }>): string {
  return by === undefined ? t.deleted.already : t.deleted.alreadyBy(authorOf(id, by, at));
}

/** The page of a record. Agents and services are on that of their shipment. */
export function pathOf({ resource, resourceID, shipmentID }: Deletion): string {
  return resource === 'move' ? `/moves/${resourceID}` : `/shipments/${shipmentID ?? ''}`;
}

export function canRestore(kind: Resource): boolean {
  return session.can(kind === 'move' ? 'moves:write' : 'shipments:write');
}
