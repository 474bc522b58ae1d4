/** A fault that somebody could make in a source, and the specs that have to notice it. */
export interface Fault {
  readonly about: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly specs: readonly string[];
  /** Of their tests only those with this text in their names, where others would wait for what the fault never lets happen. */
  readonly only?: string;
}

export const FAULTS: readonly Fault[] = [
  {
    about: 'no transaction is begun',
    file: 'src/database/transaction.ts',
    find: `    'BEGIN',\n`,
    replace: `    'SELECT 1',\n`,
    specs: ['test/transaction-faults.spec.ts'],
  },
  {
    about: 'a transaction has no author',
    file: 'src/database/transaction.ts',
    find: '    `SET LOCAL waybill.author = ${escapeLiteral(author)}`,\n',
    replace: '',
    specs: ['test/history.spec.ts'],
  },
  {
    about: 'a connection that failed inside a transaction goes back to the pool',
    file: 'src/database/transaction.ts',
    find: 'this.client.release(isUsable ? undefined : (this.failure ?? true))',
    replace: 'this.client.release(isUsable && false)',
    specs: ['test/transaction-faults.spec.ts'],
  },
  {
    about: 'a COMMIT that was not answered counts as done',
    file: 'src/database/transaction.ts',
    find: `throw isRefusal(failure) ? failure : new CommitUnanswered(this.id, failure)`,
    replace: `if (isRefusal(failure)) throw failure`,
    specs: ['test/transaction-faults.spec.ts'],
  },
  {
    about: 'a committed id is believed without looking for what it wrote',
    file: 'src/database/database.ts',
    find: `if (rows.length === 0) return 'aborted';`,
    replace: '',
    specs: ['test/reused-transaction-ids.spec.ts'],
  },
  {
    about: 'the record is not locked when a request names its version',
    file: 'src/records/record-sql.ts',
    find: ' = ANY ($2::text[]) FOR NO KEY UPDATE`',
    replace: ' = ANY ($2::text[])`',
    specs: ['test/lost-updates-controls.spec.ts', 'test/locked-rows.spec.ts'],
  },
  {
    about: 'the record is not locked when a request takes any version',
    file: 'src/records/record-sql.ts',
    find: '`${this.stored(key)} FOR NO KEY UPDATE`',
    replace: '`${this.stored(key)}`',
    specs: ['test/locked-rows.spec.ts'],
  },
  {
    about: 'the records of a bulk are not locked',
    file: 'src/records/record-sql.ts',
    find: ' ORDER BY r.id FOR NO KEY UPDATE`',
    replace: ' ORDER BY r.id`',
    specs: ['test/bulk-races.spec.ts', 'test/locked-rows.spec.ts'],
  },
  {
    about: 'the UPDATE does not name the version that was judged',
    file: 'src/records/record-sql.ts',
    find: 'WHERE r.id = $1 AND r.updated_at = $2\n',
    replace: 'WHERE r.id = $1 AND $2::timestamptz IS NOT NULL\n',
    specs: ['test/lost-updates-controls.spec.ts'],
  },
  {
    about: 'any version passes If-Match',
    file: 'src/etag/if-match.guard.ts',
    find: `const eTags = eTagsToMatch(headers);`,
    replace: 'const eTags = undefined; const requireVersion = () => undefined;',
    specs: ['test/preconditions.spec.ts'],
  },
  {
    about: 'a weak tag matches',
    file: 'src/http/entity-tags.ts',
    find: '!tag.weak && tag.opaque === eTag',
    replace: 'tag.opaque === eTag',
    specs: ['test/conflict-report.spec.ts'],
  },
  {
    about: 'a conflict is explained while the row is locked',
    file: 'src/etag/if-match.guard.ts',
    find: `      await transaction.rollback();
      throw error instanceof StaleVersion ? await this.conflicts.explain(context) : error;`,
    replace: `      const answer = error instanceof StaleVersion ? await this.conflicts.explain(context) : error;
      await transaction.rollback();
      throw answer;`,
    specs: ['test/conflict-report.spec.ts'],
  },
  {
    about: 'a refused write is not rolled back',
    file: 'src/etag/write.filter.ts',
    find: 'await contextOf(request).write?.transaction.rollback();',
    replace: '',
    specs: ['test/transactions.spec.ts'],
    only: 'no connection stays busy when a later guard or the handler refuses',
  },
  {
    about: 'the answer to a keyed write is not kept',
    file: 'src/etag/write-commit.ts',
    find: 'transaction.commit(this.idempotency.keep(request, reply, status))',
    replace: 'transaction.commit()',
    specs: ['test/idempotency.spec.ts'],
  },
  {
    about: 'a key is replayed although If-Match names another version',
    file: 'src/idempotency/request-identity.ts',
    find: 'JSON.stringify([query, preconditions, body ?? null])',
    replace: 'JSON.stringify([query, body ?? null])',
    specs: ['test/repeated-requests.spec.ts'],
  },
  {
    about: 'two spellings of a path are two requests for one key',
    file: 'src/idempotency/request-identity.ts',
    find: 'request.method, canonicalPath(request), key]',
    replace: 'request.method, request.path, key]',
    specs: ['test/repeated-requests.spec.ts'],
  },
  {
    about: 'keys have no cap',
    file: 'src/idempotency/key-allowance.ts',
    find: 'total >= this.most',
    replace: 'false',
    specs: ['test/idempotency-limit.spec.ts'],
  },
  {
    about: 'a record is served under the path of another kind',
    file: 'src/records/record-sql.ts',
    find: ` AND h.record_kind = '\${this.resource.name}'`,
    replace: '',
    specs: ['test/ids-of-other-kinds.spec.ts'],
  },
  {
    about: 'expand needs no scope',
    file: 'src/records/expansion.guard.ts',
    find: 'this.scopes.require(request, readScope);',
    replace: 'void readScope;',
    specs: ['test/scopes.spec.ts'],
  },
  {
    about: 'a subject may be anything',
    file: 'src/auth/token-verifier.ts',
    find: 'if (!isNameable(sub))',
    replace: `if (sub === '')`,
    specs: ['test/token-claims.spec.ts'],
  },
  {
    about: 'a name may contain the separator of subject and name',
    file: 'src/auth/token-verifier.ts',
    find: '!/[\\p{Cc}\\p{Cs}]/u.test(claim)',
    replace: 'true',
    specs: ['test/caller-names.spec.ts', 'test/token-claims.spec.ts'],
  },
  {
    about: 'callers share what they may send',
    file: 'src/http/rate-limit.ts',
    find: '[subjects, caller.subject]',
    replace: `[subjects, '']`,
    specs: ['test/rate-limit.spec.ts'],
  },
  {
    about: 'an item of a bulk passes with any version',
    file: 'src/bulk/bulk-verdicts.ts',
    find: 'requireVersion(writeRuleOf(item.handler) as ConditionalRule, item.headers, locked.row.eTag);',
    replace: '',
    specs: ['test/bulk-equivalence.spec.ts', 'test/bulk-races.spec.ts'],
  },
  {
    about: 'a bulk locks its rows in any order',
    file: 'src/records/record-sql.ts',
    find: 'ORDER BY r.id FOR NO KEY UPDATE',
    replace: 'ORDER BY random() FOR NO KEY UPDATE',
    specs: ['test/bulk-races.spec.ts'],
  },
  {
    about: 'a bulk does not hold the moves of its new shipments before it locks others',
    file: 'src/bulk/bulk-verdicts.ts',
    find: 'await this.records.holdAll(transaction, MOVES, moves)',
    replace: 'new Set(moves)',
    specs: ['test/bulk-races.spec.ts', 'test/bulk-equivalence.spec.ts'],
  },
  {
    about: 'an atomic bulk writes what was not refused',
    file: 'src/bulk/bulk.service.ts',
    find: 'if (changes.length < items.length)',
    replace: 'if (changes.length === 0)',
    specs: ['test/bulk-equivalence.spec.ts'],
  },
  {
    about: 'how far a bulk has come is not stored with what it did',
    file: 'src/bulk/bulk.service.ts',
    find: 'this.idempotency.keepProgress(request, this.results.progress(all))',
    replace: '[]',
    specs: ['test/bulk-faults.spec.ts'],
  },
  {
    about: 'a COMMIT of a bulk that was not answered counts as done',
    file: 'src/bulk/bulk.service.ts',
    find: 'if (changes.length > 0) await this.writeCommit.settle(error, changes, request);',
    replace: '',
    specs: ['test/bulk-faults.spec.ts'],
  },
  {
    about: 'a database of another encoding is used',
    file: 'src/database/encoding.ts',
    find: `row.encoding === 'UTF8'`,
    replace: 'true',
    specs: ['test/encoding.spec.ts'],
  },
  {
    about: 'a file that could not be read to its end looks complete',
    file: 'src/files/export-reply.ts',
    find: 'response.destroy();',
    replace: 'response.end();',
    specs: ['test/export-streams.spec.ts'],
  },
  {
    about: 'a query goes on when nobody waits for it',
    file: 'src/files/export-rows.ts',
    find: 'SET LOCAL client_connection_check_interval = 1000',
    replace: 'SELECT 1',
    specs: ['test/export-streams.spec.ts'],
  },
  {
    about: 'a line break inside of a cell ends its line',
    file: 'src/files/csv.ts',
    find: String.raw`    quoted_match: /[\r\n]/,`,
    replace: '',
    specs: ['test/file-cells.spec.ts'],
  },
  {
    about: 'a spreadsheet runs a text',
    file: 'src/files/cells.ts',
    find: String.raw`/^(?:$|[=+\-@\t\r'])/`,
    replace: '/^$/',
    specs: ['test/file-cells.spec.ts', 'test/exports.spec.ts'],
  },
];
