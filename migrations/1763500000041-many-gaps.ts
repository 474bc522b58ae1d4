import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

const EACH = 'int8multirange(missing) - positions)';
const TOUCHED =
  'CASE WHEN missing && positions THEN int8multirange(missing) - positions ELSE int8multirange(missing) END)';

/**
 * A long transaction that changes many records leaves a gap for each change that others commit meanwhile, 100,000 in some minutes. Numbering
 * took the positions of its batch out of every gap, which takes as many steps as the batch has positions, and ran into the statement timeout
 * again and again. Only the gaps that have such a position change.
 */
export class ManyGaps1763500000041 implements Migration {
  up(db: QueryRunner): Promise<void> {
    return replaceIn(db, EACH, TOUCHED);
  }
}

/** Replaces one expression of number_events(), and leaves the rest as the newest migration before this one has defined it. */
async function replaceIn(db: QueryRunner, from: string, to: string): Promise<void> {
  const [{ definition }] = (await db.query(`SELECT pg_get_functiondef('number_events'::regproc) AS definition`)) as [
    { definition: string },
  ];
  if (definition.split(from).length !== 2)
    throw new Error('number_events() is not the function that this migration changes');
  await db.query(definition.replace(from, () => to));
}
