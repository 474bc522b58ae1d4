import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Characters that separate the words of a search, as in search_query. */
const TERM_BREAK = '[\\u0001-\\u0026\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u0060\\u007b-\\u007f]';

/** Moves whose codes have the same end, at most. Of a million moves with random codes, 30 end in the same three characters. */
const MAX_MOVES = 200;

/**
 * A search finds a shipment by the end of its code: `ST9-02` is JQPST9-02. The index of words has no ends of words, and would have to be
 * built anew to get them, so such a word is replaced: by the codes that moves with that end give to their shipments.
 */
export class SearchByEndOfCode1763600000721 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION search_query_with_codes(written text) RETURNS tsquery LANGUAGE sql STABLE STRICT PARALLEL SAFE
        RETURN (
          SELECT string_agg(format('(%s)', concat_ws(' | ', '''' || word || ''':*', codes)), ' & ')
          FROM regexp_split_to_table(fold_text(written), '${TERM_BREAK}+') AS term,
            regexp_replace(term, '[\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]+', '', 'g') AS word,
            LATERAL (
              SELECT string_agg(lower(move_code) || split_part(term, '-', 2), ' | ') AS codes
              FROM (
                SELECT move_code FROM moves
                WHERE term ~ '^[a-hj-np-z2-9]{3,5}-[0-9]{2,9}$'
                  AND reverse(move_code) COLLATE "C" >= reverse(upper(split_part(term, '-', 1)))
                  AND reverse(move_code) COLLATE "C" < reverse(upper(split_part(term, '-', 1))) || 'a'
                ORDER BY reverse(move_code) COLLATE "C" LIMIT ${MAX_MOVES}
              ) ends
            ) found
          WHERE word <> ''
        )::tsquery;
    `);
  }
}
