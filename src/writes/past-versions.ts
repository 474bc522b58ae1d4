import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Unit } from './unit-of-work.js';

/** How many versions are remembered. */
const MAX_VERSIONS = 10_000;

/** How many sets of changes are remembered, and how long. A set can be as large as a record, and has what people wrote. */
const CHANGES = { max: 500, ttl: 60_000 };

/**
 * Versions of records that this process knows to be past, so that a request that names one is refused without a transaction.
 * That is linearizable: every write gives a record a version that it never had before, so a version that was past when the
 * request arrived stays past, and the refusal is right at every moment until it is answered. A version that is not
 * remembered may be past as well; then the guard finds out in a transaction.
 */
@Injectable()
export class PastVersions {
  private readonly past = new LRUCache<string, true>({ max: MAX_VERSIONS });
  private readonly inProgress = new Map<string, Promise<void>>();
  /** By the two versions between which they were made: they never change. */
  private readonly changes = new LRUCache<string, Promise<unknown>>(CHANGES);

  /**
   * Resolves when the transaction has ended that is about to replace the version; undefined when there is none. Of the requests that
   * name one version only one can succeed, so the others wait here, instead of each holding a connection while it waits for the row
   * lock.
   */
  writerOf(version: string | undefined): Promise<void> | undefined {
    return version === undefined ? undefined : this.inProgress.get(version);
  }

  /** Whether the version is known to be past. */
  includes(version: string | undefined): boolean {
    return version !== undefined && this.past.has(version);
  }

  /** A transaction is about to replace the version. */
  replaceIn(begun: Promise<Unit>, version: string | undefined): void {
    if (version === undefined || this.inProgress.has(version)) return;
    const ended = begun
      .then(async ({ transaction }) => {
        if (await transaction.committed) this.add(version);
      })
      .catch(() => undefined)
      .finally(() => this.inProgress.delete(version));
    this.inProgress.set(version, ended);
  }

  add(version: string): void {
    this.past.set(version, true);
  }

  forget(version: string): void {
    this.past.delete(version);
  }

  /** What `read` finds out about the changes from a version to the current one. Requests that ask for the same share one read. */
  changesBetween<Changes>(version: string, currentETag: string, read: () => Promise<Changes>): Promise<Changes> {
    const key = `${version} ${currentETag}`;
    const known = this.changes.get(key) as Promise<Changes> | undefined;
    if (known !== undefined) return known;
    const changes = read();
    this.changes.set(key, changes);
    changes.catch(() => this.changes.delete(key));
    return changes;
  }
}
