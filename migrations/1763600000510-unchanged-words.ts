import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';
import { ownSearchPath } from './search-path.js';

/** As before: a part has at most this many events, and writes the words of as many records with at most this many bytes of text. */
const PART = 250;
const PART_BYTES = 100_000;

/** Lower than every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Most changes, such as those of a weight or a status, leave the texts of a record as they are. Indexing read them twice and split them into
 * words each time, which was a seventh of PostgreSQL's work for such a write. Now the index keeps a digest of the texts, which are read once.
 */
export class UnchangedWords1763600000510 implements Migration {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      ALTER TABLE search ADD COLUMN text_digest bytea;
      COMMENT ON COLUMN search.text_digest IS
        'SHA-256 of the texts whose words these are; null if unknown. A migration that changes how texts are split empties it';

      -- As before, but the texts of a part are read once, and split only if they have changed.
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
          -- The text of a move is split once for all its shipments. A deleted record has no texts.
          WITH sized AS MATERIALIZED (
            SELECT wanted.id, t.move_id, t.move_text, t.own_text, t.child_text, wanted.n,
              sum(coalesce(octet_length(t.move_text) + octet_length(t.own_text) + octet_length(t.child_text), 0)) OVER (ORDER BY wanted.n) AS bytes
            FROM unnest(ids[1:${PART}]) WITH ORDINALITY AS wanted (id, n) LEFT JOIN texts_of(ids[1:${PART}]) t USING (id)
          ), part AS MATERIALIZED (
            SELECT *, sha256(convert_to(concat_ws(E'\\x01', move_text, own_text, child_text), 'UTF8')) AS text_digest
            FROM sized WHERE n = 1 OR bytes <= ${PART_BYTES}
          ), changed AS MATERIALIZED (
            SELECT DISTINCT ON (part.id) part.* FROM part LEFT JOIN search s USING (id)
            WHERE part.move_id IS NOT NULL AND s.text_digest IS DISTINCT FROM part.text_digest
          ), of_move AS MATERIALIZED (
            SELECT one.move_id, search_words(one.move_text) AS words FROM (SELECT DISTINCT move_id, move_text FROM changed) one
          ), written AS (
            INSERT INTO search (id, move_id, words, text_digest)
            SELECT c.id, c.move_id, m.words || search_words(c.own_text) || search_words(c.child_text), c.text_digest
            FROM changed c JOIN of_move m USING (move_id)
            ON CONFLICT (id) DO UPDATE SET words = excluded.words, text_digest = excluded.text_digest
          ), deleted AS (
            DELETE FROM search WHERE id IN (SELECT part.id FROM part WHERE part.move_id IS NULL)
          )
          SELECT count(*) INTO taken FROM part;
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

      -- For an erasure, which does not wait for the events. It forgets the digest, which may be of other texts.
      CREATE OR REPLACE FUNCTION refresh_words(ids uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${searchPath} SET enable_seqscan = off AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('refresh_words'));
        DELETE FROM search WHERE id = ANY (ids)
          AND NOT EXISTS (SELECT FROM moves WHERE moves.id = search.id) AND NOT EXISTS (SELECT FROM shipments WHERE shipments.id = search.id);
        INSERT INTO search SELECT * FROM words_of(ids)
        ON CONFLICT (id) DO UPDATE SET words = excluded.words, text_digest = NULL WHERE search.words <> excluded.words;
      END
      $$;

      DROP FUNCTION records_in_part;
    `);
  }
}
