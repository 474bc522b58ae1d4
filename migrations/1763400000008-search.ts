import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/** Events in one transaction. */
const BATCH = 250;

/** Entries that a search looks at itself. */
const MAX_UNINDEXED = 10000;

/** Characters that separate words, that join the parts of one, such as ORD-2026-0042 or grace@example.com, and that words consist of. */
const BREAK = '[\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]';
const JOINT = "[-._@/+'']";
/** Characters that separate the words of a search. */
const TERM_BREAK = '[\\u0001-\\u0026\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u0060\\u007b-\\u007f]';
const LETTER = '[^\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]';

/**
 * Text search. Every move and every shipment has a row of words: its own texts, and for a shipment those of its move, agents and services.
 * The words follow the feed of events, so that a write does not pay for them. A search has to find every acknowledged write nevertheless: it
 * takes the words of records that changed since from the records themselves.
 */
export class Search1763400000008 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE TABLE search (
        id uuid CONSTRAINT search_pkey PRIMARY KEY,
        move_id uuid NOT NULL,
        words tsvector NOT NULL
      );
      COMMENT ON COLUMN search.id IS 'The id of a shipment, or of a move';
      CREATE INDEX search_words_idx ON search USING gin (words) WITH (gin_pending_list_limit = 1024);

      CREATE TABLE search_progress (number bigint NOT NULL);
      CREATE UNIQUE INDEX search_progress_one_row_idx ON search_progress ((true));
      COMMENT ON COLUMN search_progress.number IS 'The words of all records follow the events up to this one';
      INSERT INTO search_progress VALUES (0);

      -- The words of a text, in one spelling: lower case, without accents, ligatures taken apart. They do not depend on the locale of the database.
      -- Scripts without spaces between words (Chinese, Japanese) are taken apart into characters. A text is searched up to 20,000 characters.
      --
      -- Of ORD-2026-0042 the index has ord20260042, 20260042 and 0042 besides its parts, and a search for ORD-2026 is one for ord2026: every
      -- beginning at a part is found, without the records that have a word with ord.
      CREATE FUNCTION fold_text(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ${searchPath} AS $$
      DECLARE
        folded text := left(written, 20000);
      BEGIN
        IF octet_length(folded) = length(folded) THEN
          RETURN lower(folded COLLATE "C");
        END IF;
        folded := left(lower(normalize(folded, NFKD) COLLATE "und-x-icu"), 20000);
        -- Accents, points of Hebrew and Arabic, invisible characters.
        folded := regexp_replace(folded, '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\u00ad\\ufeff]', '', 'g');
        -- Letters that have no decomposition, and capitals of Georgian, which older versions of ICU do not know.
        folded := translate(folded, '’‐‑øłđðħŧıςɓƙᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿ',
          '''--olddhtiσbkაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿ');
        folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
        folded := regexp_replace(folded, '([\\u2e80-\\u2fff\\u3005-\\u3007\\u3040-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003ffff])', ' \\1 ', 'g');
        -- Punctuation becomes ASCII's, and words fit into the index.
        folded := regexp_replace(folded, '[\\u007f-\\u00bf\\u02c2-\\u02df\\u055a-\\u055f\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u0e2f\\u0e5a\\u0e5b\\u104a-\\u104f\\u10fb\\u1361-\\u1368\\u17d4-\\u17da\\u2000-\\u206f\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u303f]+', ' ', 'g');
        RETURN regexp_replace(folded, '(\\S{250})\\S+', '\\1', 'g');
      END
      $$;

      CREATE FUNCTION search_words(written text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ${searchPath} AS $$
      DECLARE
        folded text := fold_text(written);
        words text[] := array_remove(regexp_split_to_array(folded, '${BREAK}+'), '');
        parts text[];
      BEGIN
        FOR parts IN
          SELECT regexp_split_to_array(compound[1], '${BREAK}+') FROM regexp_matches(folded, '(${LETTER}+(?:${JOINT}+${LETTER}+)+)', 'g') AS compound LIMIT 500
        LOOP
          FOR start IN 1..least(cardinality(parts), 10) LOOP
            words := words || left(array_to_string(parts[start:10], ''), 250);
          END LOOP;
        END LOOP;
        RETURN array_to_tsvector(words);
      END
      $$;

      -- Every word as a prefix; null for a text without words.
      CREATE FUNCTION search_query(written text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (
          SELECT string_agg('''' || word || ''':*', ' & ')
          FROM regexp_split_to_table(fold_text(written), '${TERM_BREAK}+') AS term, regexp_replace(term, '${BREAK}+', '', 'g') AS word
          WHERE word <> ''
        )::tsquery;

      -- The words of the records with these ids, and of the shipments of these moves.
      CREATE FUNCTION words_of(ids uuid[]) RETURNS TABLE (id uuid, move_id uuid, words tsvector)
      LANGUAGE plpgsql STABLE ${searchPath} AS $$
      BEGIN
        RETURN QUERY
        SELECT m.id, m.id, search_words(concat_ws(' ', m.move_code, m.order_id, m.remarks))
        FROM moves m WHERE m.id = ANY (ids)
        UNION ALL
        SELECT s.id, s.move_id, search_words(concat_ws(' ', m.move_code, m.order_id, m.remarks,
          s.shipment_code, s.shipment_type, s.customer_remarks, s.rejection_reason,
          s.pickup_address_street_address1, s.pickup_address_street_address2, s.pickup_address_street_address3,
          s.pickup_address_city, s.pickup_address_state, s.pickup_address_postal_code, s.pickup_address_country,
          s.destination_address_street_address1, s.destination_address_street_address2, s.destination_address_street_address3,
          s.destination_address_city, s.destination_address_state, s.destination_address_postal_code, s.destination_address_country
        )) || search_words(concat_ws(' ',
          (SELECT string_agg(concat_ws(' ', first_name, last_name, email, phone, regexp_replace(phone, '[^0-9]', '', 'g')), ' ')
           FROM agents WHERE shipment_id = s.id),
          (SELECT string_agg(code, ' ') FROM (SELECT code FROM services WHERE shipment_id = s.id ORDER BY services.id LIMIT 1000) first_services)
        ))
        FROM shipments s JOIN moves m ON m.id = s.move_id WHERE s.id = ANY (ids) OR s.move_id = ANY (ids);
      END
      $$;

      -- Writes the words of the records with these ids, and of the shipments of these moves. One session at a time, so that none writes older words.
      CREATE FUNCTION refresh_words(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET enable_seqscan = off AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('refresh_words'));
        DELETE FROM search WHERE id = ANY (ids)
          AND NOT EXISTS (SELECT FROM moves WHERE moves.id = search.id) AND NOT EXISTS (SELECT FROM shipments WHERE shipments.id = search.id);
        INSERT INTO search SELECT * FROM words_of(ids)
        ON CONFLICT (id) DO UPDATE SET words = excluded.words WHERE search.words <> excluded.words;
      END
      $$;

      -- Brings the words up to the next events, and returns how many of these there were; null while another session does it. The lock is taken in a
      -- statement of its own: the snapshot of the next one must be newer than the commit of its previous holder.
      CREATE FUNCTION index_words() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET enable_seqscan = off AS $$
      DECLARE
        reached bigint;
        last bigint;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtext('refresh_words')) THEN RETURN NULL; END IF;
        SELECT number INTO reached FROM search_progress;
        SELECT max(number) INTO last FROM (SELECT number FROM events WHERE number > reached ORDER BY number LIMIT ${BATCH}) batch;
        IF last IS NULL THEN RETURN 0; END IF;
        -- A record that changes again later waits for that event.
        PERFORM refresh_words(ARRAY(
          SELECT DISTINCT root_id FROM events e WHERE number > reached AND number <= last
            AND NOT EXISTS (SELECT FROM events later WHERE later.record_id = e.root_id AND later.number + 0 > last)
        ));
        UPDATE search_progress SET number = last;
        RETURN last - reached;
      END
      $$;

      -- The words of all records that changed after the events that search has reached, from the records themselves; null for deleted records. These
      -- are the records of later events and of entries that have no number yet: after the highest numbered position, or in a gap before it. The
      -- function is stable, so it sees what the statement that calls it sees: a record is in the result or has its words in the index.
      CREATE FUNCTION unindexed_words() RETURNS TABLE (id uuid, move_id uuid, words tsvector)
      LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 ${searchPath} SET enable_seqscan = off AS $$
      DECLARE
        changed uuid[];
      BEGIN
        changed := ARRAY(
          (SELECT root_id FROM events WHERE number > (SELECT number FROM search_progress) ORDER BY number LIMIT ${MAX_UNINDEXED + 1})
          UNION ALL
          (
            SELECT root_id FROM history
            WHERE position + 0 > (SELECT max(position) FROM events) ORDER BY position + 0 LIMIT ${MAX_UNINDEXED + 1}
          )
          UNION ALL
          SELECT root_id FROM (SELECT gaps FROM events ORDER BY number DESC LIMIT 1) newest, jsonb_to_recordset(gaps) AS gap (missing int8range)
          JOIN history ON position + 0 >= lower(missing) AND position + 0 < upper(missing)
        );
        IF cardinality(changed) > ${MAX_UNINDEXED} THEN
          RAISE EXCEPTION 'search is more than ${MAX_UNINDEXED} changes behind' USING ERRCODE = 'configuration_limit_exceeded';
        END IF;
        RETURN QUERY SELECT * FROM words_of(changed) UNION ALL SELECT unnest(changed), NULL, NULL;
      END
      $$;

      REVOKE EXECUTE ON FUNCTION words_of, refresh_words, index_words, unindexed_words FROM PUBLIC;
    `);
  }

  /** The words are lost. Those of a table that is created again come from the events, from the first one on. */
  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION unindexed_words, index_words, refresh_words, words_of, search_query, search_words, fold_text;
      DROP TABLE search_progress, search;
    `);
  }
}
