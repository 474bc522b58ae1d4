import { comparePatch } from './patch-cost.js';

/** The cost of text search for a write; the other side neither extracts words nor has the index. */
await comparePatch({
  usage: `Measures what text search costs a write.

  npm run bench -- search-cost [--write weight|remarks|post] [--rounds N] [--requests N]

  --write       a PATCH of a number (weight) or of a text (remarks), or a POST (weight)
  --rounds N    of all variants, taking turns (7)
  --requests N  in each round (2000)`,
  name: 'search',
  remove: (sql) => {
    return sql.query(`
      DROP INDEX search_words_idx;
      CREATE OR REPLACE FUNCTION refresh_words(ids uuid[]) RETURNS void LANGUAGE sql AS ''`);
  },
  isSettled: async (sql) => {
    const { rowCount } = await sql.query(`
      SELECT FROM search_progress
      WHERE number = (SELECT max(number) FROM events) AND (SELECT max(position) FROM events) = (SELECT max(position + 0) FROM history)`);
    return rowCount === 1;
  },
});
