#!/bin/sh
# Verifies that a backup can be restored: dumps a database, restores the dump into a new one, and compares the rows of every table and
# the chain of history in both. Requires psql, pg_dump and pg_restore of at least the server's version.
#
#   deploy/restore-drill.sh postgresql://owner@host/waybill
#
# The copy is a database on the same server, waybill_restore_drill, which is dropped at the end.
set -eu
case ${1:-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

source_url=${1:?usage: deploy/restore-drill.sh DATABASE_URL}
copy=waybill_restore_drill
copy_url=$(printf '%s' "$source_url" | sed -E "s#^(postgres(ql)?://[^/]*/)[^?]*#\1$copy#")
folder=$(mktemp -d)
trap 'rm -rf "$folder"; psql "$source_url" -qc "DROP DATABASE IF EXISTS $copy WITH (FORCE)"' EXIT

query() {
  psql "$1" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$2"
}

# The row count of every table, and a checksum over all rows in a stable order.
fingerprint() {
  for table in $(query "$1" "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
    AND relnamespace = 'public'::regnamespace ORDER BY relname"); do
    query "$1" "SELECT '$table', count(*), md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) FROM $table t"
  done
  # The chain: the newest history entry of every existing record has the record's version.
  for table in $(query "$1" "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger
    WHERE tgfoid = 'advance_version()'::regprocedure ORDER BY 1"); do
    query "$1" "
      SELECT '$table whose history does not end in their version', count(*) FROM $table r
      WHERE encode((SELECT e_tag FROM history h WHERE h.record_id = r.id ORDER BY position DESC LIMIT 1), 'hex')
        IS DISTINCT FROM etag_of(r.updated_at)"
  done
}

now() { date +%s; }

started=$(now)
pg_dump "$source_url" --format=directory --jobs=2 --file="$folder/dump"
dumped=$(now)
psql "$source_url" -qc "DROP DATABASE IF EXISTS $copy WITH (FORCE)" -c "CREATE DATABASE $copy"
pg_restore --dbname="$copy_url" --jobs=2 --exit-on-error "$folder/dump"
restored=$(now)

fingerprint "$source_url" >"$folder/before"
fingerprint "$copy_url" >"$folder/after"
cat "$folder/after"
if ! diff "$folder/before" "$folder/after"; then
  echo 'The restored database differs (left: source, right: copy). Was the source changed in the meantime?' >&2
  exit 1
fi
if grep 'history does not end in their version' "$folder/after" | grep -qv '|0$'; then
  echo 'The chain of history is broken' >&2
  exit 1
fi
echo "Restored and equal: dump $((dumped - started)) s, restore $((restored - dumped)) s, $(du -sh "$folder/dump" | cut -f1)"
