import type { Fault } from './fault.js';
import { CLIENT_FAULTS } from './faults-client.js';
import { CONSOLE_FAULTS } from './faults-console.js';
import { DELIVERY_FAULTS } from './faults-deliveries.js';
import { ERASURE_FAULTS } from './faults-erasure.js';
import { FEED_FAULTS } from './faults-feed.js';
import { FILE_FAULTS } from './faults-files.js';
import { SPREADSHEET_FAULTS } from './faults-spreadsheets.js';
import { FORM_FAULTS } from './faults-forms.js';
import { KEY_FAULTS } from './faults-keys.js';
import { LIST_FAULTS } from './faults-lists.js';
import { MONTH_FAULTS } from './faults-months.js';
import { PLACES_FAULTS } from './faults-places.js';
import { RECEIVER_FAULTS } from './faults-receivers.js';
import { REST_FAULTS } from './faults-rest.js';
import { RIGHTS_FAULTS } from './faults-rights.js';
import { SEARCH_FAULTS } from './faults-search.js';
import { SIGN_IN_FAULTS } from './faults-sign-in.js';
import { UNDELETE_FAULTS } from './faults-undelete.js';

export const FAULTS: readonly Fault[] = [
  {
    about: 'no transaction is begun',
    file: 'src/database/transaction.ts',
    find: "namedStatement('begin')`BEGIN`",
    replace: "namedStatement('begin')`SELECT 1`",
    specs: ['test/writes/transaction-faults.spec.ts'],
  },
  {
    about: 'a transaction has no author',
    file: 'src/database/transaction.ts',
    find: `const set = ['waybill.author', `,
    replace: `const set = ['waybill.nobody', `,
    specs: ['test/history/history.spec.ts'],
  },
  {
    about: 'each statement of a batch has a Sync of its own',
    file: 'src/database/internals/batch.ts',
    find: '    messages.push(serialize.execute());\n',
    replace: '    messages.push(serialize.execute(), serialize.sync());\n',
    specs: ['test/writes/transaction-faults.spec.ts'],
  },
  {
    about: 'a batch that did not begin a transaction counts as one',
    file: 'src/database/transaction.ts',
    find: `if (this.id === undefined || this.client.getTransactionStatus() !== 'T') {`,
    replace: `if (this.id === undefined) {`,
    specs: ['test/database/batches.spec.ts'],
  },
  {
    about: 'a statement counts as prepared before its Parse is confirmed',
    file: 'src/database/internals/batch.ts',
    find: 'name === undefined || name in submittedNamedStatements;',
    replace: 'name === undefined;',
    specs: ['test/database/batches.spec.ts'],
  },
  {
    about: 'a closed statement keeps its description',
    file: 'src/database/internals/batch.ts',
    find: '      columns.delete(oldest);\n',
    replace: '',
    specs: ['test/database/batches.spec.ts'],
  },
  {
    about: 'statements are closed at the end of a batch',
    file: 'src/database/internals/batch.ts',
    find: 'Buffer.concat([...this.closes(), ...messages, serialize.sync()])',
    replace: 'Buffer.concat([...messages, ...this.closes(), serialize.sync()])',
    specs: ['test/database/batches.spec.ts'],
  },
  {
    about: 'descriptions are kept behind a pooler',
    file: 'src/database/internals/batch.ts',
    find: 'return this.options.keepsDescriptions && ',
    replace: 'return ',
    specs: ['test/database/batches.spec.ts'],
  },
  {
    about: 'a connection that failed inside a transaction goes back to the pool',
    file: 'src/database/transaction.ts',
    find: 'this.client.release(isUsable ? undefined : (failure ?? true))',
    replace: 'this.client.release(isUsable && false)',
    specs: ['test/writes/batch-faults.spec.ts'],
    only: 'ROLLBACK',
  },
  {
    about: 'a connection that broke without an answer goes back to the pool',
    file: 'src/database/transaction.ts',
    find: '      (failure === undefined || isRefusal(failure)) &&\n',
    replace: '',
    specs: ['test/writes/batch-faults.spec.ts'],
    only: 'casts doubt',
  },
  {
    about: 'a COMMIT that was not answered counts as done',
    file: 'src/database/transaction.ts',
    find: `if (failure !== undefined) throw isRolledBack ? failure : this.unanswered(failure);`,
    replace: `if (failure !== undefined && isRolledBack) throw failure;`,
    specs: ['test/writes/transaction-faults.spec.ts'],
  },
  {
    about: 'a committed id is believed without looking for what it wrote',
    file: 'src/database/database.ts',
    find: `if (rows.length === 0) return 'aborted';`,
    replace: '',
    specs: ['test/database/reused-transaction-ids.spec.ts'],
  },
  {
    about: 'the record is not locked when a request names its version',
    file: 'src/records/record-sql.ts',
    find: ' = ANY ($2::text[]) FOR NO KEY UPDATE`',
    replace: ' = ANY ($2::text[])`',
    specs: ['test/writes/lost-updates-controls.spec.ts', 'test/writes/locked-rows.spec.ts'],
  },
  {
    about: 'the record is not locked when a request takes any version',
    file: 'src/records/record-sql.ts',
    find: '`${this.storedBy(key)} FOR NO KEY UPDATE`',
    replace: '`${this.storedBy(key)}`',
    specs: ['test/writes/locked-rows.spec.ts'],
  },
  {
    about: 'the records of a bulk are not locked',
    file: 'src/records/record-sql.ts',
    find: '`${this.storedAll()} ORDER BY r.id FOR NO KEY UPDATE`',
    replace: '`${this.storedAll()} ORDER BY r.id`',
    specs: ['test/bulk/bulk-races.spec.ts', 'test/writes/locked-rows.spec.ts'],
  },
  {
    about: 'the UPDATE does not name the version that was judged',
    file: 'src/records/record-sql.ts',
    find: 'WHERE r.id = $1 AND r.updated_at = $2\n',
    replace: 'WHERE r.id = $1 AND $2::timestamptz IS NOT NULL\n',
    specs: ['test/writes/lost-updates-controls.spec.ts'],
  },
  {
    about: 'the UPDATE of many records does not name the versions that were judged',
    file: 'src/records/record-sql.ts',
    find: ' AND r.updated_at = new_row.updated_at\n',
    replace: '\n',
    specs: ['test/writes/lost-updates-controls.spec.ts'],
  },
  {
    about: 'any version passes If-Match',
    file: 'src/writes/if-match.guard.ts',
    find: `const eTags = eTagsToMatch(headers);`,
    replace: 'const eTags = undefined; const requireVersion = () => undefined;',
    specs: ['test/etag/preconditions.spec.ts'],
  },
  {
    about: 'a refused write is not rolled back',
    file: 'src/writes/write.filter.ts',
    find: 'await contextOf(request).write?.unit.rollback();',
    replace: '',
    specs: ['test/writes/transactions.spec.ts'],
    only: 'no connection stays busy when a later guard or the handler refuses',
  },
  {
    about: 'the answer to a keyed write is not kept',
    file: 'src/writes/responder.ts',
    find: 'unit.commit(undefined, this.idempotency.keep(request, this.rendered(request, repetition), status))',
    replace: 'unit.commit()',
    specs: ['test/writes/idempotency.spec.ts'],
  },
  {
    about: 'a key is replayed although If-Match names another version',
    file: 'src/writes/idempotency/request-identity.ts',
    find: 'JSON.stringify([query, preconditions, body ?? null])',
    replace: 'JSON.stringify([query, body ?? null])',
    specs: ['test/writes/repeated-requests.spec.ts'],
  },
  {
    about: 'expand needs no scope',
    file: 'src/records/expansion.guard.ts',
    find: 'this.scopes.require(request, to.readScope);',
    replace: 'void to.readScope;',
    specs: ['test/auth/scopes.spec.ts'],
  },
  {
    about: 'an item of a bulk passes with any version',
    file: 'src/bulk/bulk-planner.ts',
    find: 'requireVersion(item.headers, rule.ifMatch, locked.row.eTag);',
    replace: '',
    specs: ['test/bulk/bulk-equivalence.spec.ts', 'test/bulk/bulk-races.spec.ts'],
  },
  {
    about: 'an atomic bulk writes what was not refused',
    file: 'src/bulk/bulk.service.ts',
    find: 'if (changes.length < items.length)',
    replace: 'if (changes.length === 0)',
    specs: ['test/bulk/bulk-equivalence.spec.ts'],
  },
  {
    about: 'an import overwrites what others have changed',
    file: 'src/imports/import-row.ts',
    find: `return 'conflicting';`,
    replace: `return 'merged';`,
    specs: ['test/imports/import-apply.spec.ts'],
  },
  {
    about: 'the outcome of import rows is not committed with their changes',
    file: 'src/imports/apply-chunk.ts',
    find: 'await unit.commit(counted, [this.rows.finish(locked.row.id, finished)]);',
    replace: 'await unit.commit(counted);',
    specs: ['test/imports/import-faults.spec.ts'],
  },
  {
    about: 'the rows of an upload are deleted although its import may be committed',
    file: 'src/imports/import-upload.service.ts',
    find: 'if (!isOutcomeUnknown(error)) await this.rows.delete(id)',
    replace: `await this.database.query({ text: 'DELETE FROM import_rows WHERE import_id = $1' }, [id])`,
    specs: ['test/imports/upload-faults.spec.ts'],
    only: 'OUTCOME_UNKNOWN',
  },
  {
    about: 'an import is applied before the request is committed',
    file: 'src/imports/imports.service.ts',
    find: 'return locked.update(started).afterCommit(',
    replace: `const now = (effect: () => void) => (effect(), locked.update(started));
    return now(`,
    specs: ['test/imports/import-faults.spec.ts'],
    only: 'no row is looked at',
  },
  {
    about: 'the items of an unanswered transaction count as not done',
    file: 'src/bulk/bulk-progress.ts',
    find: 'this.tried = next;',
    replace: '',
    specs: ['test/bulk/bulk-unknown-outcomes.spec.ts'],
  },
  {
    about: 'an item that is in use fails the items beside it',
    file: 'src/bulk/bulk.service.ts',
    find: 'if (!hasWaited && !(error instanceof Rejected)) throw error;',
    replace: 'if (!(error instanceof Rejected)) throw error;',
    specs: ['test/bulk/bulk-locks.spec.ts'],
  },
  {
    about: 'a repetition does not try an item again that was in use',
    file: 'src/bulk/bulk-results.ts',
    find: 'result !== undefined && !/^{"status":503\\b/.test(result)',
    replace: 'result !== undefined',
    specs: ['test/bulk/bulk-locks.spec.ts'],
  },
  {
    about: 'a lost write is looked for without its transaction id',
    file: 'src/records/record-sql.ts',
    find: ' AND h.transaction_id = $2::xid8',
    replace: ' AND $2::xid8 IS NOT NULL',
    specs: ['test/database/reused-transaction-ids.spec.ts'],
  },
  {
    about: 'a spreadsheet runs a text',
    file: 'src/files/cells.ts',
    find: String.raw`text: /^'*(?:$|[=+\-@＝＋－＠\t\r\n])/`,
    replace: "text: /^'*$/",
    specs: ['test/files/file-cells.spec.ts', 'test/files/exports.spec.ts'],
  },
  ...ERASURE_FAULTS,
  ...DELIVERY_FAULTS,
  ...FEED_FAULTS,
  ...FORM_FAULTS,
  ...FILE_FAULTS,
  ...KEY_FAULTS,
  ...SPREADSHEET_FAULTS,
  ...LIST_FAULTS,
  ...MONTH_FAULTS,
  ...PLACES_FAULTS,
  ...RECEIVER_FAULTS,
  ...CONSOLE_FAULTS,
  ...CLIENT_FAULTS,
  ...SEARCH_FAULTS,
  ...RIGHTS_FAULTS,
  ...REST_FAULTS,
  ...SIGN_IN_FAULTS,
  ...UNDELETE_FAULTS,
];
