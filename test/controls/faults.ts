import { readFileSync } from 'node:fs';

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

/** How often the source has the text to replace. A fault can only be put into one that has it once. */
export function placesOf({ file, find }: Fault): number {
  return readFileSync(file, 'utf8').split(find).length - 1;
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
    find: `throw isRolledBack ? failure : new CommitUnanswered(this.id, failure)`,
    replace: `if (isRolledBack) throw failure`,
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
    about: 'the UPDATE of many records does not name the versions that were judged',
    file: 'src/records/record-sql.ts',
    find: ' AND r.updated_at = new_row.updated_at\n',
    replace: '\n',
    specs: ['test/lost-updates-controls.spec.ts'],
  },
  {
    about: 'an item of a bulk is answered with the record of another item',
    file: 'src/records/write-together.ts',
    find: 'byID.get(row.id)',
    replace: 'group.findLast((each) => !rows.has(each))',
    specs: ['test/bulk-statements.spec.ts'],
  },
  {
    about: 'of two changes of a record in one transaction, one is left out',
    file: 'src/records/write-together.ts',
    find: 'if (command !== undefined) rows.set(command, [row]);',
    replace: 'for (const each of group) if (each.values[0] === row.id) rows.set(each, [row]);',
    specs: ['test/write-commit.spec.ts'],
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
    find: ` WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex') AND h.record_kind = '\${this.resource.name}'`,
    replace: ` WHERE h.record_id = $1 AND h.e_tag = decode($2, 'hex')`,
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
    find: 'await this.records.holdAll(transaction, MOVES, names)',
    replace: 'new Set(names)',
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
    about: 'an import overwrites what others have changed',
    file: 'src/imports/import-row.ts',
    find: `return 'conflicting';`,
    replace: `return 'merged';`,
    specs: ['test/import-apply.spec.ts'],
  },
  {
    about: 'what became of the rows of an import is not stored with what they did',
    file: 'src/imports/apply-chunk.ts',
    find: 'await transaction.commit([this.rows.finish(locked.row.id, finished)]);',
    replace: 'await transaction.commit();',
    specs: ['test/import-faults.spec.ts'],
  },
  {
    about: 'the rows of an upload are deleted although its import may be committed',
    file: 'src/imports/upload.ts',
    find: 'if (!isOutcomeUnknown(error)) await this.rows.delete(id)',
    replace: `await this.database.query({ text: 'DELETE FROM import_rows WHERE import_id = $1' }, [id])`,
    specs: ['test/upload-faults.spec.ts'],
    only: 'OUTCOME_UNKNOWN',
  },
  {
    about: 'an import is applied before the request is committed',
    file: 'src/imports/imports.service.ts',
    find: `return locked.update({ state: state === 'applied' ? state : 'applying' }).afterCommit(`,
    replace: `const now = (effect: () => void) => (effect(), locked.update({ state: state === 'applied' ? state : 'applying' }));
    return now(`,
    specs: ['test/import-faults.spec.ts'],
    only: 'no row is looked at',
  },
  {
    about: 'the items of an unanswered transaction count as not done',
    file: 'src/bulk/bulk.service.ts',
    find: 'progress.tried = done.length + next.length;',
    replace: '',
    specs: ['test/bulk-unknown-outcomes.spec.ts'],
  },
  {
    about: 'writers that waited for another one begin together',
    file: 'src/etag/if-match.guard.ts',
    find: 'for (let rival; (rival = this.pastVersions.writerOf(version)) !== undefined;) {',
    replace: 'for (const rival of [this.pastVersions.writerOf(version)]) {',
    specs: ['test/refused-writes.spec.ts'],
    only: 'one transaction at a time',
  },
  {
    about: 'a lost write is looked for without its transaction id',
    file: 'src/records/record-sql.ts',
    find: ' r\n        WHERE h.record_id = $1 AND h.transaction_id = $2::xid8',
    replace: ' r\n        WHERE h.record_id = $1 AND $2::xid8 IS NOT NULL',
    specs: ['test/reused-transaction-ids.spec.ts'],
  },
  {
    about: 'a row of a result file changes back what others have changed',
    file: 'src/imports/result-file.ts',
    find: '|| writes(body, column.names)) return own;',
    replace: `|| column.path !== 'eTag') return own;`,
    specs: ['test/import-apply.spec.ts'],
  },
  {
    about: 'a packed file is unpacked without a limit',
    file: 'src/http/uploaded-file.ts',
    find: 'if (length > limit) done(tooLarge(limit));\n      else done(null, chunk);',
    replace: 'done(null, chunk);',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'a row of an import that fails takes those beside it along',
    file: 'src/imports/applier.ts',
    find: 'return apply(1);',
    replace: 'throw error;',
    specs: ['test/import-faults.spec.ts'],
    only: 'a row that fails whenever it is written',
  },
  {
    about: 'a database that is away ends the work on an import',
    file: 'src/imports/applier.ts',
    find: 'if (pauses === MOST_PAUSES || signal.aborted || !mayPass(error)) throw error;',
    replace: 'throw error;',
    specs: ['test/import-faults.spec.ts'],
    only: 'every statement of applying',
  },
  {
    about: 'a zero byte in a file is taken',
    file: 'src/imports/reading/checked-text.ts',
    find: 'const zero = text.indexOf(0);',
    replace: 'const zero = -1;',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'bytes in a file that are not UTF-8 are taken for something else',
    file: 'src/imports/reading/checked-text.ts',
    find: 'if (isUtf8(text)) return;',
    replace: 'return;',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'a row of a file has as many columns as somebody likes',
    file: 'src/imports/reading/csv-rows.ts',
    find: 'if (index >= MOST_COLUMNS)',
    replace: 'if (index < 0)',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'a row of a file is as long as somebody likes',
    file: 'src/imports/reading/csv-rows.ts',
    find: '  max_record_size: MOST_ROW_BYTES,\n',
    replace: '',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'a row of a file may lack cells',
    file: 'src/imports/reading/csv-rows.ts',
    find: 'if (record.length === names.length) return record;',
    replace: 'return record;',
    specs: ['test/import-files.spec.ts'],
  },
  {
    about: 'something is stored of a file that is refused',
    file: 'src/imports/upload.ts',
    find: '    for await (const _ of readFile(file));\n    const id = uuidv7();\n',
    replace: '    const id = uuidv7();\n    this.rows.delete = async () => undefined;\n',
    specs: ['test/import-files.spec.ts'],
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
    file: 'src/http/streamed-reply.ts',
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
    about: 'an export is read page after page, each from a snapshot of its own',
    file: 'src/files/export-rows.ts',
    find: `      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL statement_timeout = \${timeoutMs};
      SET LOCAL idle_in_transaction_session_timeout = \${timeoutMs};
      SET LOCAL client_connection_check_interval = 1000\`);
    this.cursor = this.client.query(new Cursor<{ json: string }>(text, [...values]));`,
    replace: `BEGIN\`);
    let at = 0;
    const read = async (count) => {
      const { rows } = await this.client.query(\`SELECT * FROM (\${text}) r OFFSET \${at} LIMIT \${count}\`, [...values]);
      at += rows.length;
      return rows;
    };
    this.cursor = { read };`,
    specs: ['test/export-streams.spec.ts'],
    only: 'a file shows the list as it was',
  },
  {
    about: 'more slots are handed out than there are',
    file: 'src/http/slots.ts',
    find: 'if (this.taken >= this.limit) throw this.allAreTaken();',
    replace: '',
    specs: ['test/slots.spec.ts'],
  },
  {
    about: 'one caller can take all slots',
    file: 'src/http/slots.ts',
    find: 'if (own >= this.share) throw this.shareIsTaken();',
    replace: '',
    specs: ['test/slots.spec.ts'],
  },
  {
    about: 'an upload takes a slot before the scope of its caller is checked',
    file: 'src/http/uploaded-file.ts',
    find: 'authorize(request);',
    replace: 'void authorize;',
    specs: ['test/slots.spec.ts'],
    only: 'scope',
  },
  {
    about: 'a client that disconnects before anyone listens is not noticed',
    file: 'src/http/until-closed.ts',
    find: 'if (message.destroyed) callback();\n  else message',
    replace: 'message',
    specs: ['test/early-disconnects.spec.ts'],
    only: 'exports',
  },
  {
    about: 'an export that has ended still counts as one',
    file: 'src/files/exports.ts',
    find: 'new ExportRows(client, free)',
    replace: 'new ExportRows(client, () => undefined)',
    specs: ['test/export-streams.spec.ts'],
    only: 'all slots are in use',
  },
  {
    about: 'a file is made faster than its client reads it',
    file: 'src/http/streamed-reply.ts',
    find: `if (!response.write(chunk)) await once(response, 'drain', { signal });`,
    replace: 'response.write(chunk);',
    specs: ['test/export-streams.spec.ts', 'test/export-tls.spec.ts'],
    only: 'is cut off',
  },
  {
    about: 'a client that does not read is waited for without end',
    file: 'src/http/unread-answers.ts',
    find: 'if (socket.writableLength > 0 && socket.timeout !== timeoutMs)',
    replace: 'if (socket.writableLength < 0)',
    specs: ['test/export-streams.spec.ts', 'test/export-tls.spec.ts'],
    only: 'is cut off',
  },
  {
    about: 'a line break inside of a cell ends its line',
    file: 'src/files/csv.ts',
    find: String.raw`/[\r\n,;\t]/`,
    replace: String.raw`/[,;\t]/`,
    specs: ['test/file-cells.spec.ts'],
  },
  {
    about: 'a spreadsheet runs a text',
    file: 'src/files/cells.ts',
    find: String.raw`/^(?:$|[=+\-@\t\r'])/`,
    replace: '/^$/',
    specs: ['test/file-cells.spec.ts', 'test/exports.spec.ts'],
  },
  {
    about: 'the port closes although a connection may have arrived in the last iteration of the event loop',
    file: 'src/operations/shutdown.ts',
    find: 'if (performance.now() - begun < SHORT_ITERATION_MS) return;',
    replace: 'if (begun > 0) return;',
    specs: ['test/shutdown.spec.ts'],
  },
  {
    about: 'an answer is kept although its caller has no room for it',
    file: 'src/idempotency/idempotency.ts',
    find: 'if (before === undefined) this.allowance?.require(caller, bytes);',
    replace: '',
    specs: ['test/idempotency-limit.spec.ts'],
  },
  {
    about: 'a refused item is kept with the values of shipments',
    file: 'src/bulk/bulk-results.ts',
    find: 'return this.answer(207, results.map(withoutValues));',
    replace: 'return this.answer(207, results);',
    specs: ['test/bulk-kept-refusals.spec.ts'],
  },
  {
    about: 'the address of the rest skips a record',
    file: 'src/records/record-sql.ts',
    find: '(array_agg(m.id ORDER BY m.id DESC))[${most}]`',
    replace: '(array_agg(m.id ORDER BY m.id DESC))[${most + 1}]`',
    specs: ['test/expand-limits.spec.ts'],
  },
  {
    about: 'a file that cannot be read is not counted',
    file: 'src/imports/upload.ts',
    find: `      countFile(size());
      throw error;`,
    replace: '      throw error;',
    specs: ['test/import-limit.spec.ts'],
  },
];
