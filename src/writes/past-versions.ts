import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { unavailable } from '../problem/problem.js';
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

  constructor(private readonly database: Database) {}

  /**
   * Begins the unit that replaces a version; undefined when the version is known to be past. Of the requests that name one version only
   * one can succeed, so the others wait here, instead of each holding a connection while it waits for the row lock.
   */
  async openUnit(version: string | undefined, begin: () => Promise<Unit>): Promise<Unit | undefined> {
    if (version === undefined) return begin();
    const deadline = this.database.deadline();
    // Nothing is awaited between the last look for a rival and this request's own entry. So when a rival was rolled back, the first
    // request that continues becomes the rival of the others, and one transaction for this version is open at a time.
    for (let rival; (rival = this.inProgress.get(version)) !== undefined;) {
      await rival;
      if (performance.now() > deadline)
        throw unavailable('Other requests keep this record busy. Try again in a moment.');
    }
    if (this.past.has(version)) return undefined;
    const begun = begin();
    this.inProgress.set(version, this.outcomeOf(begun, version));
    return begun;
  }

  private outcomeOf(begun: Promise<Unit>, version: string): Promise<void> {
    return begun
      .then(async ({ transaction }) => {
        if (await transaction.committed) this.add(version);
      })
      .catch(() => undefined)
      .finally(() => this.inProgress.delete(version));
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
