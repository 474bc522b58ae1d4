import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ownSearchPath } from './search-path.js';

/**
 * Text search. Every move and every shipment has a row of words, kept by triggers in the transaction of each write, so that a search finds
 * what was acknowledged. The row is not part of the record: the record's version stays, and a PATCH that changes no text does not touch it.
 *
 * `own_words` and `address_words` are the texts of the record itself, `related_words` those of a shipment's move, agents and services. Only a
 * writer of the record, who holds its lock, writes the first two, of which a change of the remarks leaves the second as it is. The last have
 * several writers: each locks the row first and reads the texts in a later statement, which sees what the writer before it has committed. A
 * new shipment and a change of its move wait for each other at the row of shipment_numbers. A change of a move locks the shipments in the
 * order in which bulks do.
 */
export class Search1763400000010 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    const searchPath = await ownSearchPath(db);
    await db.query(`
      CREATE TABLE search (
        id uuid CONSTRAINT search_pkey PRIMARY KEY,
        move_id uuid NOT NULL,
        own_words tsvector NOT NULL,
        address_words tsvector NOT NULL DEFAULT '',
        related_words tsvector NOT NULL DEFAULT ''
      );
      COMMENT ON COLUMN search.id IS 'The id of a shipment, or of a move';
      CREATE INDEX search_words_idx ON search USING gin ((own_words || address_words || related_words)) WITH (gin_pending_list_limit = 1024);
      ${words(searchPath)}
      CREATE FUNCTION search_move() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        words tsvector := search_words(concat_ws(' ', NEW.move_code, NEW.order_id, NEW.remarks));
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO search VALUES (NEW.id, NEW.id, words);
          RETURN NULL;
        END IF;
        IF (NEW.order_id, NEW.remarks) IS NOT DISTINCT FROM (OLD.order_id, OLD.remarks) THEN RETURN NULL; END IF;
        UPDATE search SET own_words = words WHERE id = NEW.id;
        INSERT INTO shipment_numbers VALUES (NEW.move_code, 0) ON CONFLICT (move_code) DO UPDATE SET last = shipment_numbers.last;
        PERFORM FROM shipments WHERE move_id = NEW.id ORDER BY id FOR SHARE;
        PERFORM relate_words(id) FROM shipments WHERE move_id = NEW.id;
        RETURN NULL;
      END
      $$;

      CREATE FUNCTION search_shipment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      DECLARE
        texts text := ${textsOf('NEW', OWN_TEXTS)};
        addresses text := ${textsOf('NEW', ADDRESS_TEXTS)};
        old_texts text;
        old_addresses text;
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO search SELECT NEW.id, NEW.move_id, search_words(texts), search_words(addresses), own_words FROM search WHERE id = NEW.move_id;
          RETURN NULL;
        END IF;
        old_texts := ${textsOf('OLD', OWN_TEXTS)};
        old_addresses := ${textsOf('OLD', ADDRESS_TEXTS)};
        IF texts = old_texts AND addresses = old_addresses THEN RETURN NULL; END IF;
        UPDATE search SET
          own_words = CASE WHEN texts = old_texts THEN own_words ELSE search_words(texts) END,
          address_words = CASE WHEN addresses = old_addresses THEN address_words ELSE search_words(addresses) END
        WHERE id = NEW.id;
        RETURN NULL;
      END
      $$;

      CREATE FUNCTION search_child() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        PERFORM relate_words(coalesce(NEW.shipment_id, OLD.shipment_id));
        RETURN NULL;
      END
      $$;

      CREATE FUNCTION relate_words(shipment uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        PERFORM FROM search WHERE id = shipment FOR UPDATE;
        UPDATE search SET related_words = moves.own_words || search_words(concat_ws(' ',
          (SELECT string_agg(concat_ws(' ', first_name, last_name, email, phone, regexp_replace(phone, '[^0-9]', '', 'g')), ' ')
           FROM agents WHERE shipment_id = shipment),
          (SELECT string_agg(code, ' ') FROM (SELECT code FROM services WHERE shipment_id = shipment ORDER BY id LIMIT 1000) first_services)
        ))
        FROM search AS moves WHERE search.id = shipment AND moves.id = search.move_id;
      END
      $$;

      CREATE FUNCTION search_no_more() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${searchPath} AS $$
      BEGIN
        DELETE FROM search WHERE id = OLD.id;
        RETURN NULL;
      END
      $$;

      -- With the columns that they depend on: a condition would cost every UPDATE more than its check.
      CREATE TRIGGER moves_search AFTER INSERT OR UPDATE OF order_id, remarks ON moves FOR EACH ROW EXECUTE FUNCTION search_move();
      CREATE TRIGGER moves_search_delete AFTER DELETE ON moves FOR EACH ROW EXECUTE FUNCTION search_no_more();
      CREATE TRIGGER shipments_search AFTER INSERT OR UPDATE OF ${[...OWN_TEXTS, ...ADDRESS_TEXTS].join(', ')} ON shipments
        FOR EACH ROW EXECUTE FUNCTION search_shipment();
      CREATE TRIGGER shipments_search_delete AFTER DELETE ON shipments FOR EACH ROW EXECUTE FUNCTION search_no_more();
      CREATE TRIGGER agents_search AFTER INSERT OR UPDATE OR DELETE ON agents FOR EACH ROW EXECUTE FUNCTION search_child();
      CREATE TRIGGER services_search AFTER INSERT OR DELETE OR UPDATE OF code ON services FOR EACH ROW EXECUTE FUNCTION search_child();
      REVOKE EXECUTE ON FUNCTION search_move(), search_shipment(), search_child(), relate_words(uuid), search_no_more() FROM PUBLIC;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION search_move(), search_shipment(), search_child(), search_no_more() CASCADE;
      DROP FUNCTION relate_words(uuid);
      DROP TABLE search;
      DROP FUNCTION search_words(text), search_query(text), fold_text(text);
    `);
  }
}

const OWN_TEXTS = ['shipment_code', 'shipment_type', 'customer_remarks', 'rejection_reason'];
const ADDRESS_COLUMNS = [
  'street_address1',
  'street_address2',
  'street_address3',
  'city',
  'state',
  'postal_code',
  'country',
];
const ADDRESS_TEXTS = ['pickup', 'destination'].flatMap((end) =>
  ADDRESS_COLUMNS.map((column) => `${end}_address_${column}`),
);

function textsOf(row: string, columns: readonly string[]): string {
  return `concat_ws(' ', ${columns.map((column) => `${row}.${column}`).join(', ')})`;
}

/** What separates words; what joins the parts of one, such as ORD-2026-0042 or grace@example.com; and what words consist of. */
const BREAK = '[\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]';
const JOINT = "[-._@/+'']";
/** What separates the words of a search. */
const TERM_BREAK = '[\\u0001-\\u0026\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u0060\\u007b-\\u007f]';
const LETTER = '[^\\u0001-\\u002f\\u003a-\\u0060\\u007b-\\u007f]';

/**
 * The words of a text, in one spelling: lower case, without accents, ligatures taken apart. They do not depend on the locale of the database.
 * Scripts without spaces between words (Chinese, Japanese) are taken apart into characters. A text is searched up to 20,000 characters.
 *
 * Of ORD-2026-0042 the index has ord20260042, 20260042 and 0042 besides its parts, and a search for ORD-2026 is one for ord2026: every
 * beginning at a part is found, without the records that have a word with ord.
 */
const words = (searchPath: string) => `
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
`;
