import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '../auth/access.js';
import { seenScopes } from '../auth/creator-scopes.js';
import { hashOf, newKey } from '../auth/key-text.js';
import { ScopeCheck } from '../auth/scope.guard.js';
import { keyIDOf } from '../auth/subjects.js';
import { unauthenticated, UNKNOWN_KEY } from '../auth/unauthenticated.js';
import type { BoundStatement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { contextOf } from '../http/request-context.js';
import { KEYS, type Key } from '../model/key.entity.js';
import { Problem } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import { storedFields, type KeyFields } from './dto/key-fields.js';
import { scopesToWrite } from './key-rights.js';
import { ADD_HASH, CALLING_KEY, CREATOR_OF_KEYS, REPLACED, ROTATE } from './key-sql.js';

/** Each key has a rate limit of its own, so keys must not be unlimited. */
const MAX_PER_CREATOR = 1000;
/** Replaced keys that work at the same time. */
const MAX_REPLACED = 10;

@Injectable()
export class KeysService {
  constructor(
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
  ) {}

  async create(request: Request, transaction: Transaction, fields: KeyFields): Promise<PendingWrite> {
    await this.requireStill(request, transaction, scopesToWrite(undefined, fields, 'New'));
    const { caller } = contextOf(request);
    const { subject, name } = caller;
    await transaction.query(CREATOR_OF_KEYS.lock, [subject]);
    const [created] = await transaction.query<{ count: number }>(CREATOR_OF_KEYS.count, [subject]);
    if ((created?.count ?? 0) >= MAX_PER_CREATOR) {
      throw new Problem(
        'LIMIT_REACHED',
        `You have created ${MAX_PER_CREATOR} keys, which is the maximum. Revoke one first.`,
      );
    }
    const write = this.records.create(KEYS, { ...storedFields(fields), createdBy: name ?? subject });
    return withKey(write, (hash) => ({
      statement: ADD_HASH,
      values: [write.recordID, hash, subject, seenScopes(caller)],
    }));
  }

  async update(
    request: Request,
    transaction: Transaction,
    key: Locked<Key>,
    fields: Partial<KeyFields>,
  ): Promise<PendingWrite> {
    await this.requireStill(request, transaction, scopesToWrite(key.row, fields, 'Patch'));
    return key.update(storedFields(fields));
  }

  async rotate(request: Request, transaction: Transaction, key: Locked<Key>): Promise<PendingWrite> {
    const { id, scopes, expiresAt } = key.row;
    await this.requireStill(request, transaction, scopes);
    const [replaced] = await transaction.query<{ count: number }>(REPLACED, [id]);
    if ((replaced?.count ?? 0) >= MAX_REPLACED) {
      throw new Problem(
        'LIMIT_REACHED',
        `This key was replaced ${MAX_REPLACED} times in 24 hours, which is the maximum. Create another key, and revoke this one.`,
      );
    }
    const hint = Date.parse(expiresAt) > Date.now() ? '' : ' Change expiresAt: it does not work until then.';
    return withKey(key.update({}), (hash) => ({ statement: ROTATE, values: [id, hash] }), hint);
  }

  /** Asks the database again: a key is believed for a moment after it has ended, and what it gives to a key would outlive that. */
  private async requireStill(request: Request, transaction: Transaction, scopes: readonly Scope[]): Promise<void> {
    const context = contextOf(request);
    const { caller } = context;
    if (caller.keyName === undefined) return;
    const [now] = await transaction.query<{ scopes: string[] }>(CALLING_KEY, [keyIDOf(caller.subject)]);
    if (now === undefined) throw unauthenticated(UNKNOWN_KEY);
    context.caller = { ...caller, scopes: new Set(now.scopes) };
    for (const scope of ['keys:write', ...scopes] as const) this.scopes.require(request, scope);
  }
}

/** Makes a key, stores its hash with the write, and shows it in the first response only. */
function withKey(write: PendingWrite, store: (hash: Buffer) => BoundStatement, hint = ''): PendingWrite {
  const key = newKey();
  return write.preceded([store(hashOf(key))]).shownAs((record) => {
    return record.withOnce(
      { key, notice: `No other response shows this key. Store it now.${hint}` },
      { key: null, notice: `The key was shown once. POST ${KEYS.path}/${record.id}/rotateKey gives a new one.` },
    );
  });
}
