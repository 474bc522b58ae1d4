/** Something that the service's role tries against history or against versions, statement after statement in one session. */
export interface Attempt {
  readonly about: string;
  readonly statements: readonly string[];
  /** How PostgreSQL refuses it; absent when it lets it happen, which `why` then explains. */
  readonly refusal?: RegExp;
  readonly why?: string;
  /** How many entries history truthfully gains; none unless told. */
  readonly entries?: number;
}

export const MOVE = '01900000-0000-7000-8000-0000000000a1';
export const SHIPMENT = '01900000-0000-7000-8000-0000000000b1';
export const OTHER_SHIPMENT = '01900000-0000-7000-8000-0000000000b2';
export const AGENT = '01900000-0000-7000-8000-0000000000c1';

const DENIED = /permission denied|must be (owner|superuser|able to SET ROLE)/;
const ENTRY = `(root_id, record_kind, record_id, type, changed_by, changed_at)
  VALUES ('${SHIPMENT}', 'shipment', '${SHIPMENT}', 'updated', 'nobody', now())`;
const UPDATE = `UPDATE public.shipments SET estimated_weight = 7 WHERE id = '${SHIPMENT}'`;

/** One statement each, refused for want of a right. */
function denied(...statements: readonly string[]): Attempt[] {
  return statements.map((statement) => ({ about: statement, statements: [statement], refusal: DENIED }));
}

function harmless(why: string, ...statements: readonly string[]): Attempt {
  return { about: statements.join('; '), statements, why };
}

const ON_HISTORY = denied(
  `INSERT INTO history ${ENTRY}`,
  `INSERT INTO history (position, ${ENTRY.slice(1).replace('VALUES (', 'OVERRIDING SYSTEM VALUE VALUES (1, ')}`,
  `INSERT INTO history_default ${ENTRY}`,
  'COPY history FROM STDIN',
  `COPY history FROM PROGRAM 'true'`,
  `MERGE INTO history USING (SELECT 1) one ON false WHEN NOT MATCHED THEN INSERT ${ENTRY}`,
  'MERGE INTO history USING (SELECT 1) one ON true WHEN MATCHED THEN DELETE',
  `UPDATE history SET changed_by = 'nobody'`,
  `UPDATE history_default SET changed_by = 'nobody'`,
  'DELETE FROM history',
  'DELETE FROM history_default',
  'TRUNCATE history',
  'SELECT FROM history FOR UPDATE',
  'SELECT FROM history FOR KEY SHARE',
  'BEGIN; LOCK TABLE history IN ACCESS EXCLUSIVE MODE',
  'BEGIN; LOCK TABLE history IN ROW EXCLUSIVE MODE',
  'ALTER TABLE history DISABLE TRIGGER ALL',
  'ALTER TABLE history DETACH PARTITION history_default',
  'ALTER TABLE history OWNER TO CURRENT_USER',
  'ALTER TABLE history RENAME TO old_history',
  'ALTER TABLE history ALTER position DROP IDENTITY',
  'ALTER TABLE history ENABLE ROW LEVEL SECURITY',
  'DROP TABLE history',
  'DROP TABLE history_default',
  'DROP TRIGGER history_append_only ON history',
  'CREATE RULE swallow AS ON INSERT TO history DO INSTEAD NOTHING',
  'CREATE POLICY hide ON history USING (false)',
  'CREATE INDEX ON history (changed_by)',
  'CREATE TRIGGER swallow BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  'REINDEX TABLE history',
  `DO $$ BEGIN EXECUTE 'DELETE FROM history'; END $$`,
  `WITH gone AS (DELETE FROM history RETURNING 1) SELECT count(*) FROM gone`,
  `SELECT nextval('history_position_seq')`,
  `SELECT setval('history_position_seq', 1)`,
  `SELECT currval('history_position_seq')`,
  'ALTER SEQUENCE history_position_seq RESTART',
  `UPDATE pg_trigger SET tgenabled = 'D'`,
  `UPDATE pg_proc SET prosrc = 'BEGIN RETURN NULL; END' WHERE proname = 'keep_history'`,
);

const REDACTION = `UPDATE history SET erased = true, changed_by = 'erased', subject = NULL`;
const ERASURES = denied(
  'SELECT FROM erasures',
  `INSERT INTO erasures (record_id, requested_by, until_position) VALUES ('${SHIPMENT}', 'mallory', 1000)`,
  'UPDATE erasures SET finished_at = NULL',
  'DELETE FROM erasures',
  'TRUNCATE erasures',
  `BEGIN; SELECT set_config('waybill.erasure', gen_random_uuid()::text, true); ${REDACTION}`,
);

const ON_RECORDS = denied(
  'TRUNCATE moves CASCADE',
  'ALTER TABLE shipments DISABLE TRIGGER shipments_history',
  'ALTER TABLE shipments DISABLE TRIGGER shipments_version',
  'DROP TRIGGER shipments_history ON shipments',
  'CREATE TRIGGER silence BEFORE UPDATE ON shipments FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  'CREATE RULE silence AS ON UPDATE TO shipments DO INSTEAD NOTHING',
  'ALTER TABLE shipments ALTER updated_at SET DEFAULT now()',
);

const ON_FUNCTIONS = denied(
  'SELECT keep_history()',
  'SELECT advance_version()',
  'SELECT keep_identity()',
  `SELECT track_changes('idempotency_keys', 'move', 'id')`,
  'SELECT refuse_change()',
  'SELECT protect_history()',
  `SELECT prepare_history('-infinity', 'infinity')`,
  `SELECT prepare_history(now(), now() + interval '900 years')`,
  'SELECT prepare_history(NULL, NULL)',
  'DROP FUNCTION keep_history() CASCADE',
  'ALTER FUNCTION keep_history() SECURITY INVOKER',
  'ALTER FUNCTION prepare_history(timestamptz, timestamptz) RESET search_path',
  'CREATE OR REPLACE FUNCTION now_ms() RETURNS timestamptz LANGUAGE sql RETURN now()',
  'CREATE FUNCTION public.etag_of(text) RETURNS text LANGUAGE sql RETURN $1',
);

const ON_ROLES_AND_SETTINGS = [
  ...denied(
    'SET session_replication_role = replica',
    `SELECT set_config('session_replication_role', 'replica', false)`,
    'ALTER ROLE CURRENT_USER SET session_replication_role = replica',
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'ALTER ROLE CURRENT_USER BYPASSRLS',
    'SET ROLE :owner',
    'SET SESSION AUTHORIZATION :owner',
    'GRANT :owner TO CURRENT_USER',
    'REASSIGN OWNED BY :owner TO CURRENT_USER',
    'CREATE EVENT TRIGGER silence ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    `ALTER DATABASE :database SET search_path = 'nowhere'`,
  ),
  harmless(
    'a role without the grant option grants nothing; PostgreSQL only warns',
    'GRANT ALL ON history TO CURRENT_USER',
  ),
  harmless('the functions do not look at the search_path of the session', `SET search_path = ''`),
  harmless('names of the system come last, and are still the only ones', 'SET search_path = public, pg_catalog'),
  harmless(
    'an entry holds moments and numbers that mean the same in any notation',
    `SET timezone = 'Pacific/Kiritimati'`,
    `SET datestyle = 'SQL, DMY'`,
    `SET intervalstyle = 'sql_standard'`,
    `SET bytea_output = 'escape'`,
    'SET transform_null_equals = on',
    'SET row_security = off',
  ),
  harmless('the triggers of history are no constraint triggers', 'BEGIN', 'SET CONSTRAINTS ALL DEFERRED', 'COMMIT'),
  harmless(
    'readable functions without effect, at the ends of their range',
    `SELECT now_ms(), iso_ms('infinity'),
    iso_ms(NULL), etag_of('-infinity'), etag_of(NULL), etag_of('4713-01-01 BC'), etag_of('294276-12-31')`,
  ),
  harmless(
    'replicas prepare the months once this session has ended',
    `SELECT pg_advisory_lock(hashtext('prepare_history'))`,
  ),
];

const WITHOUT_AUTHOR = [
  'RESET waybill.author',
  `SET waybill.author = ''`,
  `SET waybill.author = ' '`,
  `SET waybill.author = 'request'`,
  `SET waybill.author = 'request '`,
  `SET application_name = 'psql'; RESET waybill.author`,
].flatMap((setting): Attempt[] =>
  [
    UPDATE,
    `DELETE FROM public.agents WHERE id = '${AGENT}'`,
    `INSERT INTO public.moves (id, move_code) VALUES (gen_random_uuid(), 'ABCDEF')`,
  ].map((write) => ({ about: `${setting}; ${write}`, statements: [setting, write], refusal: /has no author/ })),
);

const ON_VERSIONS: Attempt[] = [
  {
    about: 'UPDATE of updated_at',
    statements: [`UPDATE shipments SET updated_at = '2001-01-01' WHERE id = '${SHIPMENT}'`],
    why: 'the trigger overrides the value',
    entries: 1,
  },
  {
    about: 'INSERT of a record with a version in the future',
    statements: [
      `INSERT INTO moves (id, move_code, created_at, updated_at) VALUES (gen_random_uuid(), 'FUTURE', '2001-01-01', '2099-01-01')`,
    ],
    why: 'the trigger overrides the values',
    entries: 1,
  },
  {
    about: 'INSERT ... ON CONFLICT DO UPDATE of updated_at',
    statements: [
      `INSERT INTO moves (id, move_code) VALUES ('${MOVE}', 'CCCCCC')
       ON CONFLICT (id) DO UPDATE SET updated_at = '2001-01-01', remarks = 'upserted'`,
    ],
    why: 'it is an update like any other',
    entries: 1,
  },
  {
    about: 'a record that is deleted and inserted again with its old version',
    statements: [
      `DO $$ DECLARE old public.agents; BEGIN
         DELETE FROM public.agents WHERE id = '${AGENT}' RETURNING * INTO old;
         INSERT INTO public.agents SELECT old.*;
       END $$`,
    ],
    why: 'the record gets a new version, and history shows both changes',
    entries: 2,
  },
  {
    about: 'a record under another id',
    statements: [`UPDATE agents SET id = gen_random_uuid() WHERE id = '${AGENT}'`],
    refusal: /keeps its id and its shipment_id/,
  },
  {
    about: 'a move under another id',
    statements: [`UPDATE moves SET id = gen_random_uuid() WHERE move_code = 'ALXNE2'`],
    refusal: /keeps its id/,
  },
  {
    about: 'a record under another parent',
    statements: [`UPDATE agents SET shipment_id = '${OTHER_SHIPMENT}' WHERE id = '${AGENT}'`],
    refusal: /keeps its id and its shipment_id/,
  },
];

export const PLAIN_ATTEMPTS: readonly Attempt[] = [
  ...ON_HISTORY,
  ...ERASURES,
  ...ON_RECORDS,
  ...ON_FUNCTIONS,
  ...ON_ROLES_AND_SETTINGS,
  ...WITHOUT_AUTHOR,
  ...ON_VERSIONS,
];
