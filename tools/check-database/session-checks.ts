import type { Check } from './check.js';
import { connect } from './sessions.js';

/** What a connection pooler may take away; the service can be told to do without. */
export const SESSION_CHECKS: Check[] = [
  {
    name: 'settings of one transaction: who writes is told to the triggers',
    without: 'changes have no author: the service cannot write',
    async run({ first }) {
      const author = () =>
        first.query<{ author: string | null }>(`SELECT nullif(current_setting('waybill.author', true), '') AS author`);
      await first.query('BEGIN');
      await first.query(`SET LOCAL waybill.author = 'somebody'`);
      const inside = (await author()).rows[0]?.author;
      await first.query('COMMIT');
      return inside === 'somebody' && (await author()).rows[0]?.author === null;
    },
  },
  {
    name: 'time limits as settings of a connection',
    without: 'a pooler stands between: set DATABASE_POOLER=transaction',
    async run({ url }) {
      const client = await connect({ connectionString: url, statement_timeout: 12_345, lock_timeout: 1234 });
      const { rows } = await client.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`);
      await client.end();
      return rows[0]?.limit === '12345ms';
    },
  },
  {
    name: 'prepared statements that belong to their connection',
    without: 'a pooler stands between that does not know them: set PREPARED_STATEMENTS=off',
    async run({ first, second }) {
      const name = 'waybill_check';
      for (const client of [first, second]) await client.query({ name, text: 'SELECT 1' });
      // While one session holds a connection of a pooler, the other is given another one.
      await first.query('BEGIN');
      await first.query({ name, text: 'SELECT 1' });
      await second.query({ name, text: 'SELECT 1' });
      return true;
    },
  },
];
