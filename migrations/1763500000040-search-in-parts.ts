import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/** One part has at most this many events, and writes the words of as many records with at most this many bytes of text. */
const PART = 250;
const PART_BYTES = 100_000;

/** What a search examines itself: changes, the records that they concern, and the bytes of their texts. */
const MAX_CHANGES = 10_000;
const MAX_RECORDS = 5000;
const MAX_BYTES = 500_000;

/** Characters that are normalized at a time. */
const CHUNK = 200;

/** Lower than every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Accents, points of Hebrew and Arabic, invisible characters. */
const MARKS =
  '[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\u00ad\\ufeff]';

/**
 * Indexing in parts. A change of a move concerns all its shipments, and a transaction that writes the words of 40,000 of them would not end within
 * a statement timeout. So progress is an event and the last record of the next one whose words are written, and one call writes one part.
 * A search examines a bounded number of records itself. If more have changed, it says so and finds what is indexed.
 */
export class SearchInParts1763500000040 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      -- A table of its own, because altering search_progress would wait for replicas that index at this moment.
      CREATE TABLE search_part (number bigint NOT NULL, record_id uuid NOT NULL);
      CREATE UNIQUE INDEX search_part_one_row_idx ON search_part ((true));
      COMMENT ON TABLE search_part IS
        'Of this event, the words of the records up to this one are written; disregarded unless it is the one after search_progress';

      -- As before, with a bounded cost: PostgreSQL sorts the marks that follow each other, which takes n² for n marks, so a text is normalized in
      -- short pieces, and without the marks that are removed anyway.
      CREATE OR REPLACE FUNCTION fold_text(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ${searchPath} AS $$
      DECLARE
        folded text := left(written, 20000);
      BEGIN
        IF octet_length(folded) = length(folded) THEN
          RETURN lower(folded COLLATE "C");
        END IF;
        folded := regexp_replace(folded, '${MARKS}', '', 'g');
        folded := (
          SELECT left(string_agg(normalize(substr(folded, start, ${CHUNK}), NFKD), '' ORDER BY start), 20000)
          FROM generate_series(1, length(folded), ${CHUNK}) AS start
        );
        folded := left(lower(folded COLLATE "und-x-icu"), 20000);
        folded := regexp_replace(folded, '${MARKS}', '', 'g');
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

      -- The texts of exactly these records that are searched: those of the move, of a shipment itself, and of its agents and first services.
      CREATE FUNCTION texts_of(ids uuid[]) RETURNS TABLE (id uuid, move_id uuid, move_text text, own_text text, child_text text)
      LANGUAGE plpgsql STABLE ${searchPath} AS $$
      BEGIN
        RETURN QUERY
        SELECT m.id, m.id, concat_ws(' ', m.move_code, m.order_id, m.remarks), '', ''
        FROM moves m WHERE m.id = ANY (ids)
        UNION ALL
        SELECT s.id, s.move_id, concat_ws(' ', m.move_code, m.order_id, m.remarks), concat_ws(' ',
          s.shipment_code, s.shipment_type, s.customer_remarks, s.rejection_reason,
          s.pickup_address_street_address1, s.pickup_address_street_address2, s.pickup_address_street_address3,
          s.pickup_address_city, s.pickup_address_state, s.pickup_address_postal_code, s.pickup_address_country,
          s.destination_address_street_address1, s.destination_address_street_address2, s.destination_address_street_address3,
          s.destination_address_city, s.destination_address_state, s.destination_address_postal_code, s.destination_address_country
        ), concat_ws(' ',
          (SELECT string_agg(concat_ws(' ', first_name, last_name, email, phone, regexp_replace(phone, '[^0-9]', '', 'g')), ' ')
           FROM agents WHERE shipment_id = s.id),
          (SELECT string_agg(code, ' ') FROM (SELECT code FROM services WHERE shipment_id = s.id ORDER BY services.id LIMIT 1000) first_services)
        )
        FROM shipments s JOIN moves m ON m.id = s.move_id WHERE s.id = ANY (ids);
      END
      $$;

      -- The words of exactly these records. The text of a move is split once for all its shipments.
      CREATE FUNCTION words_of_records(ids uuid[]) RETURNS TABLE (id uuid, move_id uuid, words tsvector)
      LANGUAGE plpgsql STABLE ${searchPath} AS $$
      BEGIN
        RETURN QUERY
        WITH texts AS MATERIALIZED (SELECT * FROM texts_of(ids)),
        of_move AS MATERIALIZED (
          SELECT one.move_id, search_words(one.move_text) AS words FROM (SELECT DISTINCT t.move_id, t.move_text FROM texts t) one
        )
        SELECT t.id, t.move_id, m.words || search_words(t.own_text) || search_words(t.child_text)
        FROM texts t JOIN of_move m ON m.move_id = t.move_id;
      END
      $$;

      -- The same for these records and the shipments of these moves.
      CREATE OR REPLACE FUNCTION words_of(ids uuid[]) RETURNS TABLE (id uuid, move_id uuid, words tsvector)
      LANGUAGE plpgsql STABLE ${searchPath} AS $$
      BEGIN
        RETURN QUERY SELECT * FROM words_of_records(ids || ARRAY(SELECT s.id FROM shipments s WHERE s.move_id = ANY (ids)));
      END
      $$;

      -- How many of these records, from the first on, one part takes; at least one.
      CREATE FUNCTION records_in_part(ids uuid[]) RETURNS integer LANGUAGE sql STABLE ${searchPath} AS $$
        SELECT greatest(1, count(*) FILTER (WHERE total <= ${PART_BYTES}))::integer FROM (
          SELECT sum(coalesce(octet_length(move_text) + octet_length(own_text) + octet_length(child_text), 0)) OVER (ORDER BY n) AS total
          FROM unnest(ids) WITH ORDINALITY AS wanted (id, n) LEFT JOIN texts_of(ids) texts USING (id)
        ) sizes
      $$;

      -- Writes the words of the next part, in the order of events and of the ids of their records. Returns 0 when nothing is left; null while another
      -- session does it. The lock is taken in a statement of its own: the snapshot of the next one must be newer than the commit of its previous
      -- holder.
      CREATE OR REPLACE FUNCTION index_words() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET enable_seqscan = off AS $$
      DECLARE
        reached bigint;
        after uuid;
        last bigint;
        numbers bigint[];
        ids uuid[];
        taken integer := 0;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtext('refresh_words')) THEN RETURN NULL; END IF;
        SELECT p.number, part.record_id INTO reached, after FROM search_progress p LEFT JOIN search_part part ON part.number = p.number + 1;
        -- A record that changes again later waits for that event. An event that was begun is completed nevertheless: a move that changes faster than
        -- its shipments can be indexed would otherwise begin again and again.
        WITH batch AS MATERIALIZED (
          SELECT number, root_id, CASE WHEN number = reached + 1 THEN after END AS after
          FROM events WHERE number > reached ORDER BY number LIMIT ${PART}
        ), todo AS (
          SELECT e.number, own.id FROM batch e CROSS JOIN LATERAL (
            SELECT e.root_id AS id WHERE e.after IS NULL OR e.root_id > e.after
            UNION ALL
            (SELECT s.id FROM shipments s WHERE s.move_id = e.root_id AND s.id > coalesce(e.after, '${NO_ID}') ORDER BY s.id LIMIT ${PART + 1})
          ) own
          WHERE e.after IS NOT NULL
            OR NOT EXISTS (SELECT FROM events later WHERE later.record_id = e.root_id AND later.number + 0 > e.number)
          ORDER BY e.number, own.id LIMIT ${PART + 1}
        )
        SELECT (SELECT max(number) FROM batch), array_agg(todo.number ORDER BY todo.number, todo.id), array_agg(todo.id ORDER BY todo.number, todo.id)
        INTO last, numbers, ids FROM todo;
        IF last IS NULL THEN RETURN 0; END IF;
        IF ids IS NOT NULL THEN
          taken := records_in_part(ids[1:${PART}]);
          DELETE FROM search WHERE id = ANY (ids[1:taken])
            AND NOT EXISTS (SELECT FROM moves WHERE moves.id = search.id) AND NOT EXISTS (SELECT FROM shipments WHERE shipments.id = search.id);
          INSERT INTO search SELECT * FROM words_of_records(ids[1:taken])
          ON CONFLICT (id) DO UPDATE SET words = excluded.words WHERE search.words <> excluded.words;
        END IF;
        IF taken < cardinality(ids) THEN
          last := numbers[taken] - 1;
          after := ids[taken];
        ELSE
          after := NULL;
        END IF;
        UPDATE search_progress SET number = last;
        DELETE FROM search_part;
        INSERT INTO search_part SELECT last + 1, after WHERE after IS NOT NULL;
        RETURN greatest(1, last - reached);
      END
      $$;

      -- The words of all records that changed after the part of the feed that search has reached, from the records themselves; null for deleted
      -- records. These are the records of later events and of entries that have no number yet: after the highest numbered position, or in a gap
      -- before it. If they are more than a search examines, one row with their number of changes, and nothing else. The function is stable, so it
      -- sees what the statement that calls it sees: a record is in the result or has its words in the index.
      CREATE FUNCTION search_backlog() RETURNS TABLE (id uuid, move_id uuid, words tsvector, behind bigint)
      LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 ${searchPath} SET enable_seqscan = off AS $$
      DECLARE
        reached bigint;
        part_end uuid;
        newest bigint;
        unnumbered uuid[];
        changed uuid[];
        bytes bigint := 0;
      BEGIN
        SELECT p.number, part.record_id INTO reached, part_end FROM search_progress p LEFT JOIN search_part part ON part.number = p.number + 1;
        SELECT number INTO newest FROM events ORDER BY number DESC LIMIT 1;
        unnumbered := ARRAY(
          (
            SELECT root_id FROM history
            WHERE position + 0 > (SELECT max(position) FROM events) ORDER BY position + 0 LIMIT ${MAX_CHANGES + 1}
          )
          UNION ALL
          (
            SELECT root_id FROM (SELECT gaps FROM events ORDER BY number DESC LIMIT 1) latest, jsonb_to_recordset(gaps) AS gap (missing int8range)
            JOIN history ON position + 0 >= lower(missing) AND position + 0 < upper(missing) LIMIT ${MAX_CHANGES + 1}
          )
        );
        behind := newest - reached + cardinality(unnumbered);
        IF behind <= ${MAX_CHANGES} THEN
          changed := ARRAY(
            WITH root AS MATERIALIZED (
              SELECT DISTINCT ON (one.root_id) one.root_id, one.after FROM (
                SELECT root_id, CASE WHEN number = reached + 1 THEN coalesce(part_end, '${NO_ID}') ELSE '${NO_ID}' END AS after FROM events WHERE number > reached
                UNION ALL
                SELECT unnest(unnumbered), '${NO_ID}'
              ) one ORDER BY one.root_id, one.after
            )
            SELECT own.id FROM root CROSS JOIN LATERAL (
              SELECT root.root_id AS id WHERE root.root_id > root.after
              UNION ALL
              (SELECT s.id FROM shipments s WHERE s.move_id = root.root_id AND s.id > root.after ORDER BY s.id LIMIT ${MAX_RECORDS + 1})
            ) own LIMIT ${MAX_RECORDS + 1}
          );
          FOR start IN 1..least(cardinality(changed), ${MAX_RECORDS}) BY ${PART} LOOP
            bytes := bytes + coalesce((
              SELECT sum(octet_length(move_text) + octet_length(own_text) + octet_length(child_text)) FROM texts_of(changed[start:start + ${PART - 1}])
            ), 0);
            EXIT WHEN bytes > ${MAX_BYTES};
          END LOOP;
          IF cardinality(changed) <= ${MAX_RECORDS} AND bytes <= ${MAX_BYTES} THEN
            RETURN QUERY SELECT *, NULL::bigint FROM words_of_records(changed) UNION ALL SELECT unnest(changed), NULL, NULL, NULL;
            RETURN;
          END IF;
        END IF;
        RETURN NEXT;
      END
      $$;

      -- The same for those who need all records that have the words, such as a file; fails if there are too many.
      CREATE OR REPLACE FUNCTION unindexed_words() RETURNS TABLE (id uuid, move_id uuid, words tsvector)
      LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 ${searchPath} SET enable_seqscan = off AS $$
      DECLARE
        changed record;
      BEGIN
        FOR changed IN SELECT * FROM search_backlog() LOOP
          IF changed.behind IS NOT NULL THEN
            RAISE EXCEPTION 'search is % changes behind', changed.behind USING ERRCODE = 'configuration_limit_exceeded', CONSTRAINT = 'search_behind';
          END IF;
          id := changed.id;
          move_id := changed.move_id;
          words := changed.words;
          RETURN NEXT;
        END LOOP;
      END
      $$;

      REVOKE EXECUTE ON FUNCTION texts_of, words_of_records, records_in_part, search_backlog FROM PUBLIC;
    `);
  }
}
