-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

-- deleted_by_code
SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = $2;

-- deleted_among_ids
SELECT record_id AS id FROM deletions WHERE record_id = ANY ($1) AND record_kind = $2 AND record IS NOT NULL;

-- deleted_among_codes
SELECT record_id AS id, code FROM deletions WHERE code = ANY ($1) AND record_kind = $2;

-- lock_deletions
SELECT pg_advisory_xact_lock(hashtextextended('deletions of ' || root.id, 0)) FROM unnest($1::uuid[]) AS root (id);

-- undelete
INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ($1, $2, $3);

-- deleted_move_by_code
--   The id of a deleted move by its code.
SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = 'move';
