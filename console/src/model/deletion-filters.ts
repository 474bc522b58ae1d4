import type { Deletion, DeletionQuery } from '@waybill/client';
import { MOVE_CODE, SHIPMENT_CODE } from './codes.js';
import { isDay } from './days.js';

export type DeletedKind = Deletion['resource'];

export const KINDS: readonly DeletedKind[] = ['move', 'shipment', 'agent', 'service'];

/** The filters of the list of deletions, as in its URL. */
export interface DeletionFilters {
  readonly kinds: readonly DeletedKind[];
  readonly code: string;
  readonly by: string;
  /** A day in local time. */
  readonly since: string;
  readonly moveID: string;
}

export function filtersIn(parameters: URLSearchParams): DeletionFilters {
  const one = (name: string) => parameters.get(name) ?? '';
  const asked = parameters.getAll('kind');
  return {
    kinds: KINDS.filter((kind) => asked.includes(kind)),
    code: one('code'),
    by: one('by'),
    since: one('since'),
    moveID: one('moveID'),
  };
}

/** Deletions are found by whole codes only. */
export function isWholeCode(code: string): boolean {
  return MOVE_CODE.test(code.trim()) || SHIPMENT_CODE.test(code.trim());
}

export function queryOf({ kinds, code, by, since, moveID }: DeletionFilters): DeletionQuery {
  return {
    ...(kinds.length > 0 && { resource: [...kinds] }),
    ...(isWholeCode(code) && { code: code.trim().toUpperCase() }),
    ...(by.trim() !== '' && { deletedBy: by.trim() }),
    ...(isDay(since) && { deletedSince: new Date(`${since}T00:00:00`).toISOString() }),
    ...(moveID !== '' && { moveID }),
  };
}
