import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/database.js';
import { unavailable } from '../problem/problem.js';
import type { Unit } from './unit-of-work.js';

const MAX_VERSIONS = 10_000;

/** Limits for cached changes, which can be as large as a record and contain user data. */
const CHANGES = { max: 500, ttl: 60_000 };

/** How a write of this process replaced a version; empty if another one may have done so. */
interface Replacement {
  /** The updatedAt of the version. */
  readonly madeAt?: string;
  /** The eTag of the next version. */
  readonly by?: string;
}

/**
 * Versions that this process knows to be stale, so that it can reject requests for them without a transaction. This is linearizable: every
 * write gives a record a new version, so a version that was stale when the request arrived stays stale. A version that is not cached may
 * be stale, too; the guard then finds out in a transaction.
 */
@Injectable()
export class PastVersions {
  private readonly past = new LRUCache<string, Replacement>({ max: MAX_VERSIONS });
  private readonly inProgress = new Map<string, Promise<void>>();
  /** Keyed by the two versions; the changes between them are immutable. */
  private readonly changes = new LRUCache<string, Promise<unknown>>(CHANGES);

  constructor(private readonly database: Database) {}

  /**
   * Begins the unit that replaces a version; undefined if the version is known to be stale. Of concurrent requests for one version only one
   * can succeed, so the others wait here instead of holding a connection while waiting for the row lock.
   */
  async openUnit(version: string | undefined, begin: () => Promise<Unit>): Promise<Unit | undefined> {
    if (version === undefined) return begin();
    const deadline = this.database.deadline();
    // No await between the last check for a rival and this request's own entry: after a rival's rollback, the first request to continue
    // becomes the rival of the others, so only one transaction per version is open at a time.
    for (let rival; (rival = this.inProgress.get(version)) !== undefined;) {
      await rival;
      if (performance.now() > deadline)
        throw unavailable('Too many concurrent requests for this record. Try again in a moment.');
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

  add(version: string, replacement = this.past.get(version) ?? {}): void {
    this.past.set(version, replacement);
  }

  /** When the version was made, if this process has replaced it by that of this eTag, so that there is none between the two. */
  momentBefore(version: string, eTag: string): string | undefined {
    const { madeAt, by } = this.past.get(version) ?? {};
    return by === eTag ? madeAt : undefined;
  }

  forget(version: string): void {
    this.past.delete(version);
  }

  /** The changes from a version to the current one. Concurrent requests for the same changes share one read. */
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
