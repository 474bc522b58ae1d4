import { namedStatement, type Statement } from '../database/statement.js';

/** The digest of a subject: only that of a creator is stored. */
export function digestOfSubject(subject: string): string {
  return `encode(sha256(convert_to(${subject}, 'UTF8')), 'hex')`;
}

/** The statements that count and forget who created records of a kind, by the digests in the column `creator` of a table. */
interface CreatorSql {
  /** Makes the creations by the subject $1 wait for each other, so that together they keep to the limit. */
  readonly lock: Statement;
  readonly count: Statement;
  /** Replaces the digest of the subject $1, which anybody could compute, by one of nobody. Its records still belong together. */
  readonly forget: Statement;
}

export function creatorSql(kind: string, table: string): CreatorSql {
  const isOfSubject = `creator = ${digestOfSubject('$1')}`;
  return {
    lock: namedStatement(`${kind}_lock_creator`)`
      SELECT pg_advisory_xact_lock(hashtext('${kind}s by creator'), hashtext($1))`,
    count: namedStatement(`${kind}_created_by`)`SELECT count(*)::int AS count FROM ${table} WHERE ${isOfSubject}`,
    forget: namedStatement(`${kind}_forget_creator`)`
      UPDATE ${table} SET creator = (SELECT encode(sha256(uuid_send(gen_random_uuid())), 'hex')) WHERE ${isOfSubject}`,
  };
}
