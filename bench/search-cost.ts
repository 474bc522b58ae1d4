import { comparePatch } from './patch-cost.js';

/** What text search costs a write; the other side has neither the triggers nor the index. */
await comparePatch({
  usage: `Measures what text search costs a write.

  npm run bench -- search-cost [--write weight|remarks|post] [--rounds N] [--requests N]

  --write       a PATCH of a number (weight) or of a text (remarks), or a POST (weight)
  --rounds N    of all variants, taking turns (7)
  --requests N  in each round (2000)`,
  name: 'search',
  remove: (sql) => {
    return sql.query(`
      DROP FUNCTION search_move(), search_shipment(), search_child(), search_no_more() CASCADE;
      DROP INDEX search_words_idx`);
  },
});
