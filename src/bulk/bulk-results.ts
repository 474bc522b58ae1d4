import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Reply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { Problem, problemBody } from '../problem/problem.js';
import type { RenderedRecord } from '../records/rendered-record.js';
import type { BulkItem } from './bulk-item.js';

/** What became of one item, as JSON text. */
export type Result = string;

/** How the outcomes of a bulk go over the wire. */
@Injectable()
export class BulkResults {
  private readonly baseUrl: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL = '' }: Config) {
    this.baseUrl = PUBLIC_URL;
  }

  answer(status: 200 | 207, results: readonly Result[]): Reply {
    return new Reply(`{"items":[${results.join(',')}]}`, {}, status);
  }

  success({ status }: BulkItem, stored: RenderedRecord | undefined): Result {
    return stored === undefined ? `{"status":${status}}` : `{"status":${status},"shipment":${stored.json}}`;
  }

  refusal(request: Request, item: BulkItem, problem: Problem): Result {
    return JSON.stringify(this.refused(request, item, problem));
  }

  /** For an item whose turn did not come before the database was lost. */
  notTried(request: Request, item: BulkItem): Result {
    const detail = 'The database was lost before this item had its turn. Nothing of it was written.';
    return this.refusal(request, item, new Problem('UNAVAILABLE', detail));
  }

  /** One problem for all items: those that were refused say why, the others were not done because of them. */
  refusalOfAll(request: Request, items: readonly BulkItem[], refused: ReadonlyMap<BulkItem, Problem>): Problem {
    const results = items.map((item) => {
      const problem = refused.get(item);
      return problem === undefined ? { status: 424 } : this.refused(request, item, problem);
    });
    const were = refused.size === 1 ? 'One item was' : `${refused.size} items were`;
    return new Problem(
      'BULK_REFUSED',
      `${were} refused, so none of the ${items.length} was done. "items" says why, in the order of the request. Nothing was written.`,
      { members: { items: results } },
    );
  }

  /** The results so far, to be kept under an Idempotency-Key. */
  progress(results: readonly Result[]): string {
    return `[${results.map(withoutValues).join(',')}]`;
  }

  /** The answer as it is kept under an Idempotency-Key. */
  keptAnswer(results: readonly Result[]): Reply {
    return this.answer(207, results.map(withoutValues));
  }

  /** What `progress` has written. */
  kept(progress: string | undefined): Result[] | undefined {
    if (progress === undefined) return undefined;
    return (JSON.parse(progress) as unknown[]).map((result) => JSON.stringify(result));
  }

  private refused(request: Request, { path: instance }: BulkItem, problem: Problem): object {
    const { requestID } = contextOf(request);
    return { status: problem.status, problem: problemBody(problem, { instance, requestID, baseUrl: this.baseUrl }) };
  }
}

/** The members of a problem that can be large. Whoever gets the refusal again can read the shipment, or send the item again. */
const NOT_KEPT = ['changes', 'errors'];

/**
 * A refusal as it is kept. A bulk that writes nothing would otherwise keep a megabyte for a day. What was done is kept as it is: nobody
 * could find out later what the shipment was like.
 */
function withoutValues(result: Result): Result {
  if (!result.includes('"problem":')) return result;
  const refused = JSON.parse(result) as { readonly problem?: Readonly<Record<string, unknown>> };
  const { problem } = refused;
  const left = NOT_KEPT.filter((name) => problem?.[name] !== undefined);
  if (problem === undefined || left.length === 0) return result;
  const kept = Object.entries(problem).filter(([name]) => !left.includes(name));
  const detail = `${String(problem['detail'])} This repeated answer is kept without "${left.join('" and "')}".`;
  return JSON.stringify({ ...refused, problem: { ...Object.fromEntries(kept), detail } });
}
