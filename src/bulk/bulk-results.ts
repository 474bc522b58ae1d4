import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { Reply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { Problem, problemBody } from '../problem/problem.js';
import type { RenderedRecord } from '../records/rendered-record.js';
import type { BulkItem } from './bulk-item.js';
import type { Plan } from './bulk-planner.js';
import { BULK_REFUSED } from './bulk-refused.js';

/** The result of one item, as JSON text. */
export type Result = string;

/** Whether an item is finished. One with status 503 was in use, and a retry tries it again. */
export function isFinal(result: Result | undefined): boolean {
  return result !== undefined && !/^{"status":503\b/.test(result);
}

@Injectable()
export class BulkResults {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  answer(status: 200 | 207, results: readonly Result[]): Reply {
    return new Reply(`{"items":[${results.join(',')}]}`, {}, status);
  }

  success({ status }: BulkItem, stored: RenderedRecord | undefined): Result {
    return stored === undefined ? `{"status":${status}}` : `{"status":${status},"shipment":${stored.json}}`;
  }

  refusal(request: Request, item: BulkItem, problem: Problem): Result {
    return JSON.stringify(this.refused(request, item, problem));
  }

  notTried(request: Request, item: BulkItem): Result {
    const detail = 'Earlier items failed before this one was tried. It was not written.';
    return this.refusal(request, item, new Problem('UNAVAILABLE', detail));
  }

  /** One problem for all items: refused items have a problem, the others status 424. */
  refusalOfAll(request: Request, plans: ReadonlyMap<BulkItem, Plan>): Problem {
    const results = [...plans].map(([item, plan]) => {
      return plan instanceof Problem ? this.refused(request, item, plan) : { status: 424 };
    });
    const refused = [...plans.values()].filter((plan) => plan instanceof Problem).length;
    const were = refused === 1 ? 'One item was' : `${refused} items were`;
    return new Problem(
      BULK_REFUSED,
      `${were} refused, so none of the ${results.length} was written. "items" lists the reasons in request order.`,
      { members: { items: results } },
    );
  }

  /** The results so far, to be stored for an Idempotency-Key. */
  progress(results: readonly Result[]): string {
    return `[${results.map(withoutValues).join(',')}]`;
  }

  /** The response to store for an Idempotency-Key. */
  keptAnswer(results: readonly Result[]): Reply {
    return this.answer(207, results.map(withoutValues));
  }

  kept(progress: string | undefined): Result[] | undefined {
    if (progress === undefined) return undefined;
    return (JSON.parse(progress) as unknown[]).map((result) => JSON.stringify(result));
  }

  private refused(request: Request, { path: instance }: BulkItem, problem: Problem): object {
    const { PUBLIC_URL: baseUrl = '' } = this.config;
    const { requestID } = contextOf(request);
    return { status: problem.status, problem: problemBody(problem, { instance, requestID, baseUrl }) };
  }
}

/** Large problem members, and those that name a person. A client that gets the stored refusal can read the shipment or send the item again. */
const NOT_KEPT = ['changes', 'errors', 'restoredBy', 'restoredAt'];

/** Reduces a stored refusal, which could take a megabyte. Successful results stay whole: nobody could reconstruct them later. */
function withoutValues(result: Result): Result {
  if (!result.includes('"problem":')) return result;
  const refused = JSON.parse(result) as { readonly problem?: Readonly<Record<string, unknown>> };
  const { problem } = refused;
  const left = NOT_KEPT.filter((name) => problem?.[name] !== undefined);
  if (problem === undefined || left.length === 0) return result;
  const kept = Object.entries(problem).filter(([name]) => !left.includes(name));
  const detail = `${String(problem['detail'])} This stored response omits "${left.join('" and "')}".`;
  return JSON.stringify({ ...refused, problem: { ...Object.fromEntries(kept), detail } });
}
