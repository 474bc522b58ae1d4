import type { IncomingMessage } from 'node:http';
import type { Transaction } from '../database/transaction.js';
import type { Locked } from './locked.js';
import type { VersionedRecord } from './versioned-record.js';

/** What the guard opened for a writing request. */
export interface Write {
  readonly transaction: Transaction;
  /** Undefined when the request creates a record. */
  readonly locked: Locked<VersionedRecord> | undefined;
}

const writes = new WeakMap<IncomingMessage, Write>();

export function rememberWrite(request: IncomingMessage, write: Write): void {
  writes.set(request, write);
}

/** The write of a request, if it has begun one. */
export function findWrite(request: IncomingMessage): Write | undefined {
  return writes.get(request);
}

/** The write of a request whose route is marked with @IfMatch, @IfMatchOptional or @Creates. */
export function writeOf(request: IncomingMessage): Write {
  const write = findWrite(request);
  if (write === undefined) throw new Error('The route is not marked as a writing one');
  return write;
}
