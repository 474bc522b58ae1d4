import type { Fault } from './faults.js';

const PARTS = 'migrations/1763500000040-search-in-parts.ts';
const INDEXING = 'migrations/1763600000510-unchanged-words.ts';

/** Faults of the search index and of searches. */
export const SEARCH_FAULTS: readonly Fault[] = [
  {
    about: 'the end of a code finds no move',
    file: 'migrations/1763600000721-search-by-end-of-code.ts',
    find: "|| 'a'",
    replace: "|| ''",
    specs: ['test/records/search.spec.ts'],
    only: 'end of its code',
  },
  {
    about: 'a word that may be the end of a code is searched only as one',
    file: 'migrations/1763600000721-search-by-end-of-code.ts',
    find: "concat_ws(' | ', '''' || word || ''':*', codes)",
    replace: "coalesce(codes, '''' || word || ''':*')",
    specs: ['test/records/search.spec.ts'],
    only: 'also the end of a code',
  },
  {
    about: 'an event counts as indexed after its first part',
    file: INDEXING,
    find: '          last := numbers[taken] - 1;\n          after := ids[taken];\n',
    replace: '          last := numbers[taken];\n          after := NULL;\n',
    specs: ['test/records/search-parts.spec.ts'],
    only: 'is found entirely',
  },
  {
    about: 'texts that changed keep the words of the former ones',
    file: INDEXING,
    find: 's.text_digest IS DISTINCT FROM part.text_digest',
    replace: 's.text_digest IS NULL',
    specs: ['test/records/search.spec.ts'],
    only: 'the index has the words of all records',
  },
  {
    about: 'an erasure leaves the digest of other texts',
    file: INDEXING,
    find: 'words = excluded.words, text_digest = NULL WHERE',
    replace: 'words = excluded.words WHERE',
    specs: ['test/records/search.spec.ts'],
    only: 'came back after an erasure',
  },
  {
    about: 'a search takes an event for indexed that was only begun',
    file: PARTS,
    find: "CASE WHEN number = reached + 1 THEN coalesce(part_end, '${NO_ID}') ELSE '${NO_ID}' END AS after FROM events WHERE number > reached",
    replace: "'${NO_ID}'::uuid AS after FROM events WHERE number > reached + 1",
    specs: ['test/records/search-parts.spec.ts'],
    only: 'is found entirely',
  },
  {
    about: 'the words of a whole event are written at once',
    file: INDEXING,
    find: 'WHERE n = 1 OR bytes <= ${PART_BYTES}',
    replace: '',
    specs: ['test/records/search-parts.spec.ts'],
    only: 'is indexed in parts',
  },
  {
    about: 'an event that was begun is given up for a later one',
    file: INDEXING,
    find: '          WHERE e.after IS NOT NULL\n            OR NOT EXISTS',
    replace: '          WHERE NOT EXISTS',
    specs: ['test/records/search-parts.spec.ts'],
    only: 'does not begin again',
  },
  {
    about: 'two sessions index at once',
    file: INDEXING,
    find: "IF NOT pg_try_advisory_xact_lock(hashtext('refresh_words')) THEN RETURN NULL; END IF;",
    replace: '',
    specs: ['test/records/search-parts.spec.ts'],
    only: 'is continued where it was',
  },
  {
    about: 'a search examines whatever has changed',
    file: PARTS,
    find: 'IF cardinality(changed) <= ${MAX_RECORDS} AND bytes <= ${MAX_BYTES} THEN',
    replace: 'IF cardinality(changed) <= ${MAX_RECORDS} THEN',
    specs: ['test/records/search-parts.spec.ts'],
    only: 'leaves searches',
  },
  {
    about: 'a file of a search lacks what is not indexed',
    file: 'src/records/search-sql.ts',
    find: "const CHANGED = 'changed AS MATERIALIZED (SELECT * FROM unindexed_words())';",
    replace: "const CHANGED = 'changed AS MATERIALIZED (SELECT * FROM search_backlog() WHERE id IS NOT NULL)';",
    specs: ['test/records/search-parts.spec.ts'],
    only: '503 for a file',
  },
  {
    about: 'a search in several statuses is filled from the beginning of one',
    file: 'src/records/search-sql.ts',
    find: "this.walks.length === 1 ? ''",
    replace: "this.walks.length > 0 ? ''",
    specs: ['test/records/single-filters.spec.ts'],
  },
];
