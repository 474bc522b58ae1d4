import type { Check } from './check.js';
import { connect } from './sessions.js';

/** Features that a connection pooler may lack; the service can be configured to work without them. */
export const SESSION_CHECKS: Check[] = [
  {
    name: 'transaction settings, which pass the author to the triggers',
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
    name: 'timeouts as session settings',
    without: 'there is a transaction pooler: set DATABASE_POOLER=transaction',
    async run({ url }) {
      const client = await connect({ connectionString: url, statement_timeout: 12_345, lock_timeout: 1234 });
      const { rows } = await client.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`);
      await client.end();
      return rows[0]?.limit === '12345ms';
    },
  },
  {
    name: 'prepared statements per connection',
    without: 'there is a pooler that does not support them: set PREPARED_STATEMENTS=off',
    async run({ first, second }) {
      const name = 'waybill_check';
      for (const client of [first, second]) await client.query({ name, text: 'SELECT 1' });
      // While one session holds a pooler's connection, the other gets another one.
      await first.query('BEGIN');
      await first.query({ name, text: 'SELECT 1' });
      await second.query({ name, text: 'SELECT 1' });
      return true;
    },
  },
];
