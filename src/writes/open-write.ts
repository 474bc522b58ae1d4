import type { IncomingMessage } from 'node:http';
import { contextOf } from '../http/request-context.js';
import type { Deleted } from '../records/deleted-records.js';
import type { Locked } from '../records/records.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import type { Unit } from './unit-of-work.js';

/** What `IfMatchGuard` has opened for a request. */
export interface OpenWrite {
  readonly unit: Unit;
  /** The record that it has locked; undefined if the request creates one. */
  readonly locked: Locked<VersionedRecord> | Deleted | undefined;
  /** The version that it replaces, as a key for `PastVersions`; undefined if If-Match does not name a single one. */
  readonly version: string | undefined;
}

declare module '../http/request-context.js' {
  interface RequestContext {
    /** Set by `IfMatchGuard`, for a route that is marked with @Writes. */
    write?: OpenWrite;
  }
}

export function openWriteOf(request: IncomingMessage): OpenWrite {
  const { write } = contextOf(request);
  if (write === undefined) throw new Error('The route is not marked with @Writes');
  return write;
}
