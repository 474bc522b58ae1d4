import type { BulkItem } from './bulk-item.js';
import { isFinal, type Result } from './bulk-results.js';

/** Items per transaction for independent items: few enough for short locks, enough for few commits. */
export const ITEMS_PER_TRANSACTION = 50;

/**
 * The progress of a bulk with independent items. An item that another transaction is using, or that the database rejects, must not fail the
 * others: such a transaction is repeated with half its items, down to the one item.
 */
export class BulkProgress {
  private finished = new Map<BulkItem, Result>();
  /** The results of items on which a transaction of their own has failed. */
  private readonly failed = new Map<BulkItem, Result>();
  private hasEverWaited = false;
  private tried: readonly BulkItem[] = [];
  private size = ITEMS_PER_TRANSACTION;

  constructor(readonly items: readonly BulkItem[]) {}

  /** Whether some items have no result. */
  get isOpen(): boolean {
    return this.open.length > 0;
  }

  /** Whether no item has a final result. */
  get isEmpty(): boolean {
    return this.finished.size === 0;
  }

  /** Whether a transaction has waited for a lock in vain. Further ones wait only briefly, which bounds the time of the request. */
  get hasWaited(): boolean {
    return this.hasEverWaited && (this.size < ITEMS_PER_TRANSACTION || this.failed.size > 0);
  }

  private get open(): readonly BulkItem[] {
    return this.items.filter((item) => !this.finished.has(item) && !this.failed.has(item));
  }

  /** Takes over the results that an attempt of the same request has stored. */
  resume(stored: readonly Result[]): void {
    const results = this.items.map((item, index) => [item, stored[index]] as const);
    this.finished = new Map(results.filter((each): each is [BulkItem, Result] => isFinal(each[1])));
  }

  next(): readonly BulkItem[] {
    const next = this.open.slice(0, this.size);
    this.tried = next;
    return next;
  }

  /** The results up to the first item that has none, with those of a transaction that is not committed yet. */
  resultsWith(written: ReadonlyMap<BulkItem, Result>): readonly Result[] {
    const results = this.items.map((item) => written.get(item) ?? this.resultOf(item));
    const end = results.indexOf(undefined);
    return results.slice(0, end === -1 ? undefined : end) as Result[];
  }

  resultOf(item: BulkItem): Result | undefined {
    return this.finished.get(item) ?? this.failed.get(item);
  }

  wasTried(item: BulkItem): boolean {
    return this.tried.includes(item);
  }

  /** The transaction was committed. */
  add(written: ReadonlyMap<BulkItem, Result>): void {
    for (const [item, result] of written) this.finished.set(item, result);
    this.tried = [];
    this.size = Math.min(2 * this.size, ITEMS_PER_TRANSACTION);
  }

  /** The transaction has failed, maybe because it has waited for a lock in vain. Returns false if it had not come to its items. */
  split(refuse: (item: BulkItem) => Result, hasWaited: boolean): boolean {
    this.hasEverWaited ||= hasWaited;
    const [item, ...others] = this.tried;
    if (item === undefined) return false;
    if (others.length === 0) this.failed.set(item, refuse(item));
    this.size = Math.ceil(this.tried.length / 2);
    return true;
  }
}
