import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CallOptions, Deletion, DeletionQuery } from '@waybill/client';
import { client } from '../api.js';
import { live } from '../live/live.js';
import { MOVE_CODE, SHIPMENT_CODE, UUID } from '../model/codes.js';
import { deletedFor } from '../model/deletions.js';
import type { Resource } from '../model/held-records.js';
import { session } from '../session/session.js';

export function deletionsQuery(query: DeletionQuery) {
  return infiniteQueryOptions({
    queryKey: ['deletions', query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      await live.started;
      return client.deletions.list({ ...query, limit: 50, signal }).page(pageParam);
    },
    getNextPageParam: ({ next }) => next,
    // Restored records stay in place, marked. Others are read when the view is opened again.
    gcTime: 0,
  });
}

/** The deletion of a record, or null if it is not deleted, or its deletion is not kept. */
export function deletionQuery(kind: Resource, id: string) {
  return queryOptions({
    queryKey: ['deletion', id],
    queryFn: async ({ signal }): Promise<Deletion | null> => {
      await live.started;
      return read(kind, id, signal);
    },
  });
}

/** By its id or its code. */
async function read(kind: Resource, id: string, signal: AbortSignal): Promise<Deletion | null> {
  return (await findDeletion(id, { resource: [kind], signal })) ?? null;
}

/** The deletion of the record with this id or code. */
export async function findDeletion(
  text: string,
  query: DeletionQuery & CallOptions = {},
): Promise<Deletion | undefined> {
  const named = UUID.test(text) ? { resourceID: text } : isCode(text) ? { code: text.toUpperCase() } : undefined;
  if (named === undefined) return undefined;
  return (await client.deletions.list({ ...query, ...named, limit: 1 }).page()).items[0];
}

function isCode(text: string): boolean {
  return MOVE_CODE.test(text) || SHIPMENT_CODE.test(text);
}

/** Some deletions, and whether there are more. */
export interface Some {
  readonly items: readonly Deletion[];
  readonly hasMore: boolean;
}

const NONE: Some = { items: [], hasMore: false };
const MAX_SHOWN = 50;
const MAX_READ = 1000;

async function firstOf(deletions: AsyncIterable<Deletion>, matches: (deletion: Deletion) => boolean): Promise<Some> {
  const items: Deletion[] = [];
  let read = 0;
  for await (const deletion of deletions) {
    if (items.length >= MAX_SHOWN || read >= MAX_READ) return { items, hasMore: true };
    if (matches(deletion)) items.push(deletion);
    read += 1;
  }
  return { items, hasMore: false };
}

/** A shipment is deleted right after its children. */
const CHILDREN_MS = 600_000;

/** The agents and services that come back with a shipment. */
export function childrenQuery({ resource, resourceID, moveID, deletedAt, deletionETag }: Deletion) {
  return queryOptions({
    queryKey: ['deletion', resourceID, 'children', deletionETag],
    queryFn: ({ signal }): Promise<Some> => {
      if (resource !== 'shipment' || moveID === null) return Promise.resolve(NONE);
      const deletedSince = new Date(Date.parse(deletedAt) - CHILDREN_MS).toISOString();
      const query = { resource: ['agent' as const, 'service' as const], moveID, deletedSince, limit: 200, signal };
      const isChild = ({ isCascade, shipmentID, values }: Deletion) =>
        isCascade && shipmentID === resourceID && values !== null;
      return firstOf(client.deletions.list(query), isChild);
    },
  });
}

/** What to restore, and in which order. */
export interface Plan {
  /** The record, after the records to which it belongs. Without the record itself if it comes back with its shipment. */
  readonly first: readonly Deletion[];
  /** The deleted shipments of the same move, which can be restored, too. */
  readonly offered: Some;
  /** The ids of those that were probably deleted only for the sake of the move. */
  readonly suggested: readonly string[];
}

/** Read anew each time it is shown. */
export function planQuery({ resource, resourceID }: Deletion) {
  return queryOptions({
    queryKey: ['restoring', resourceID],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }): Promise<Plan> => planOf(resource, resourceID, signal),
  });
}

async function planOf(kind: Resource, id: string, signal: AbortSignal): Promise<Plan> {
  const record = await read(kind, id, signal);
  if (record === null) return { first: [], offered: NONE, suggested: [] };
  const { shipmentID, moveID } = record;
  const isPart = kind === 'agent' || kind === 'service';
  const shipment = isPart && shipmentID !== null ? await read('shipment', shipmentID, signal) : null;
  const seesMoves = session.can('moves:read');
  const move = kind !== 'move' && moveID !== null && seesMoves ? await read('move', moveID, signal) : null;
  const isTaken = record.isCascade && shipment !== null;
  const first = [move, shipment, isTaken ? null : record].filter((each) => each !== null);
  const deletedMove = kind === 'move' ? record : move;
  if (deletedMove === null || moveID === null || !session.can('shipments:read') || !session.can('shipments:write')) {
    return { first, offered: NONE, suggested: [] };
  }
  const known = new Set(first.map((each) => each.resourceID));
  const query = { resource: ['shipment' as const], moveID, limit: 200, signal };
  const offered = await firstOf(client.deletions.list(query), (each) => !known.has(each.resourceID));
  const suggested = kind === 'move' ? deletedFor(deletedMove, offered.items) : [];
  return { first, offered, suggested: suggested.map((each) => each.resourceID) };
}
