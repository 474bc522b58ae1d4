import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Transaction } from '../database/transaction.js';
import { subjectOf } from '../http/caller.js';
import { Reply } from '../http/reply.js';
import { Problem } from '../problem/problem.js';
import { CLAIM, FIND, KEEP } from './idempotency-sql.js';

interface KeptAnswer {
  readonly same: boolean;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** A String of RFC 9651, as the Idempotency-Key draft asks for, or the same without quotes, as many clients send it. */
const VISIBLE = '[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,255}';
export const KEY_PATTERN = `^(${VISIBLE}|"${VISIBLE}")$`;
const KEY = new RegExp(KEY_PATTERN);

/**
 * Safe retries. The answer to a write is kept under the caller's key in the write's own transaction: either both are there or
 * neither is, whenever the process dies. Answers to refused requests are not kept: they changed nothing and may be asked again.
 */
@Injectable()
export class Idempotency {
  /** Whether the answer to a request has to be kept. */
  isKeyed(request: Request): boolean {
    return request.headers['idempotency-key'] !== undefined;
  }

  /** Throws when this request was answered before. 409 while the first one still runs, 422 when it was another. */
  async refuseRepetition(transaction: Transaction, request: Request): Promise<void> {
    const identity = identityOf(request);
    if (identity === undefined) return;
    const [claim] = await transaction.query<{ claimed: boolean }>(CLAIM, [identity.join('\n')]);
    if (!claim?.claimed) throw inProgress();
    const [kept] = await transaction.query<KeptAnswer>(FIND, [...identity, fingerprint(request)]);
    if (kept === undefined) return;
    if (!kept.same) throw mismatch();
    const headers = { ...kept.headers, 'Idempotency-Replayed': 'true' };
    throw new AnsweredBefore(new Reply(kept.body ?? undefined, headers, kept.status));
  }

  /** Keeps the answer of a request that has a key; it becomes visible with the write. */
  async keep(transaction: Transaction, request: Request, { json, headers }: Reply, status: number): Promise<void> {
    const identity = identityOf(request);
    if (identity === undefined) return;
    await transaction.query(KEEP, [...identity, fingerprint(request), status, JSON.stringify(headers), json ?? null]);
  }
}

/** The same request was answered before: there is nothing left to do but to give that answer again. */
export class AnsweredBefore extends Error {
  constructor(readonly reply: Reply) {
    super('The request was answered before');
  }
}

/** Caller, method, path and key: what makes two requests the same one. Undefined when the request has no key. */
function identityOf(request: Request): [string, string, string, string] | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = typeof header === 'string' && KEY.test(header) ? header.replaceAll('"', '') : undefined;
  if (key === undefined) {
    throw new Problem(
      'INVALID_HEADER',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a quoted UUID.',
    );
  }
  return [subjectOf(request), request.method, request.path, key];
}

function fingerprint(request: Request): Buffer {
  const query = request.url.slice(request.path.length);
  return createHash('sha256')
    .update(query)
    .update('\n')
    .update(request.body === undefined ? '' : JSON.stringify(request.body))
    .digest();
}

function inProgress(): Problem {
  return new Problem(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running. Try again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
}

function mismatch(): Problem {
  return new Problem(
    'IDEMPOTENCY_MISMATCH',
    'This Idempotency-Key was used for another request. Use a new key for each request, and the same one only to repeat it as it was.',
  );
}
