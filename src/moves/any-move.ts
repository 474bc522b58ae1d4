import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';

const ANY_MOVE = namedStatement('any_move')`SELECT id FROM moves LIMIT 1`;

/** Whether there are no records that examples would be mixed with. False if the schema is missing. */
export async function isEmpty(database: Database): Promise<boolean> {
  const moves = await database.query(ANY_MOVE).catch(() => undefined);
  return moves?.length === 0;
}
