import type { Attempt } from './attempts.js';

/** Where a role could put objects of its own: among the temporary ones, or in a schema that it makes. */
const PLACES = [
  { place: 'pg_temp', prepare: [] },
  { place: 'mine', prepare: ['CREATE SCHEMA mine', 'GRANT ALL ON SCHEMA mine TO PUBLIC'] },
];

/** Does to history whatever the rights of the moment allow, without a word when they allow nothing. */
export function evil(place: string): string {
  return `
    CREATE FUNCTION ${place}.evil() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      BEGIN
        ALTER TABLE public.history DISABLE TRIGGER history_append_only;
        UPDATE public.history SET changed_by = 'nobody';
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
      BEGIN
        INSERT INTO public.history (root_id, record_kind, record_id, type, changed_by, changed_at)
        SELECT root_id, record_kind, record_id, type, 'nobody', now() FROM public.history LIMIT 1;
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
      RETURN true;
    END
    $$`;
}

const lie = (signature: string, returns: string, value: string) =>
  `CREATE FUNCTION ${signature} RETURNS ${returns} LANGUAGE sql AS $$ SELECT ${value} $$`;

/** Objects with the names of those that our functions use; everybody may use them, or they would mislead nobody. */
function shadowsAt(place: string): Record<string, string[]> {
  const first = `SET search_path = ${place}, public, pg_catalog`;
  return {
    'a table history': [
      `CREATE TABLE ${place}.history (LIKE public.history INCLUDING IDENTITY INCLUDING DEFAULTS)`,
      `GRANT ALL ON ${place}.history TO PUBLIC`,
    ],
    'a view history that drops what it is given': [
      `CREATE VIEW ${place}.history AS SELECT * FROM public.history`,
      `CREATE RULE swallow AS ON INSERT TO ${place}.history DO INSTEAD NOTHING`,
      `GRANT ALL ON ${place}.history TO PUBLIC`,
    ],
    'a view history_default that runs code': [
      evil(place),
      `CREATE VIEW ${place}.history_default AS SELECT now() AS changed_at WHERE ${place}.evil()`,
      `GRANT ALL ON ${place}.history_default TO PUBLIC`,
    ],
    'a sequence': [`CREATE SEQUENCE ${place}.history_position_seq START 9000000`],
    'a table with the name of a month': [`CREATE TABLE ${place}.history_2099_01 (LIKE public.history)`],
    'now_ms()': [lie(`${place}.now_ms()`, 'timestamptz', `timestamptz '2001-01-01'`), first],
    'etag_of()': [lie(`${place}.etag_of(timestamptz)`, 'text', `repeat('00', 32)`), first],
    'iso_ms()': [lie(`${place}.iso_ms(timestamptz)`, 'text', `'2001'`), first],
    'prepare_history()': [
      evil(place),
      lie(`${place}.prepare_history(timestamptz, timestamptz)`, 'void', `FROM ${place}.evil()`),
      first,
    ],
    'pg_has_role()': [lie(`${place}.pg_has_role(name, name, text)`, 'boolean', 'true'), first],
    'current_setting()': [lie(`${place}.current_setting(text, boolean)`, 'text', `'r nobody'`), first],
    'jsonb_strip_nulls()': [lie(`${place}.jsonb_strip_nulls(jsonb)`, 'jsonb', `'{}'::jsonb`), first],
    'date_trunc()': [lie(`${place}.date_trunc(text, timestamptz)`, 'timestamptz', `timestamptz '2001-01-01'`), first],
    'the operator || of texts': [
      lie(`${place}.joined(text, text)`, 'text', `'nobody'`),
      `CREATE OPERATOR ${place}.|| (FUNCTION = ${place}.joined, LEFTARG = text, RIGHTARG = text)`,
      first,
    ],
    'the operator + of moments': [
      lie(`${place}.earlier(timestamptz, interval)`, 'timestamptz', '$1 - $2'),
      `CREATE OPERATOR ${place}.+ (FUNCTION = ${place}.earlier, LEFTARG = timestamptz, RIGHTARG = interval)`,
      first,
    ],
    'the operator <> of ids': [
      lie(`${place}.never(uuid, uuid)`, 'boolean', 'false'),
      `CREATE OPERATOR ${place}.<> (FUNCTION = ${place}.never, LEFTARG = uuid, RIGHTARG = uuid)`,
      first,
    ],
    'a domain text whose check runs code': [
      evil(place),
      `CREATE DOMAIN ${place}.text AS pg_catalog.text CHECK (${place}.evil())`,
      first,
    ],
  };
}

/** Attempts that need more than the right to create objects. */
function refusedAt(place: string): Record<string, string[]> {
  return {
    'a cast': [
      lie(`${place}.as_text(timestamptz)`, 'text', `'2001'`),
      `CREATE CAST (timestamptz AS text) WITH FUNCTION ${place}.as_text(timestamptz) AS ASSIGNMENT`,
    ],
    ...Object.fromEntries(
      ['shipment', 'move', 'agent', 'service'].map((kind) => [
        `a table of its own whose entries look like those of a ${kind}`,
        [
          `CREATE TABLE ${place}.forged AS SELECT * FROM public.${kind}s`,
          `CREATE TRIGGER forge AFTER INSERT ON ${place}.forged FOR EACH ROW EXECUTE FUNCTION public.keep_history('${kind}', 'id')`,
          `INSERT INTO ${place}.forged SELECT * FROM ${place}.forged LIMIT 1`,
        ],
      ]),
    ),
    'a child of history': [`CREATE TABLE ${place}.child () INHERITS (public.history)`],
    'a part of history': [
      `CREATE TABLE ${place}.part PARTITION OF public.history FOR VALUES FROM ('2099-01-01') TO ('2099-02-01')`,
    ],
    'a table whose rows go with a shipment': [
      `CREATE TABLE ${place}.dependent (id uuid REFERENCES public.shipments (id) ON UPDATE CASCADE ON DELETE CASCADE)`,
    ],
  };
}

export const SHADOW_ATTEMPTS: readonly Attempt[] = PLACES.flatMap(({ place, prepare }) => [
  ...Object.entries(shadowsAt(place)).map(([shadow, statements]) => ({
    about: `${place}: ${shadow}`,
    statements: [...prepare, ...statements],
    why: 'our functions look names up in their own schema first',
  })),
  ...Object.entries(refusedAt(place)).map(([shadow, statements]) => ({
    about: `${place}: ${shadow}`,
    statements: [...prepare, ...statements],
    refusal: /permission denied for|must be owner|cannot (inherit|create)|may reference only temporary tables/,
  })),
]);
