import { comparePatch } from './patch-cost.js';

const TABLES = ['moves', 'shipments', 'agents', 'services'];

/** What history costs a PATCH; the other side has the triggers disabled that write it. */
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
