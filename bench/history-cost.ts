import { comparePatch } from './patch-cost.js';

const TABLES = ['moves', 'shipments', 'agents', 'services'];

/** The cost of history for a PATCH; on the other side, the triggers that write it are disabled. */
await comparePatch({
  usage: `Measures what history costs a PATCH.

  npm run bench -- history-cost [--rounds N] [--requests N]

  --rounds N    of all variants, taking turns (7)
  --requests N  in each round (2000)`,
  name: 'history',
  remove: async (sql) => {
    for (const table of TABLES) await sql.query(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_history`);
  },
});
