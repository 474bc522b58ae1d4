import { namedStatement } from '../database/statement.js';

/** The last position of history that was drawn, and the highest one in use; see the migration that creates the function. */
export const HISTORY_POSITIONS = namedStatement('history_positions')`SELECT drawn, highest FROM history_positions()`;

export interface HistoryPositions {
  readonly drawn: string;
  readonly highest: string;
}

/**
 * Why new changes would not become events; undefined if they do. Numbering looks for new entries after the highest position of an event, and
 * a sequence that was not copied with its table, or a month of another database, leaves new positions below it.
 */
export function positionsFault({ drawn, highest }: HistoryPositions): string | undefined {
  if (BigInt(drawn) >= BigInt(highest)) return undefined;
  return (
    `New changes would not become events: the next position of history is ${BigInt(drawn) + 1n}, but ${highest} is in use already. ` +
    `Run this as the owner of the tables: SELECT setval('history_position_seq', ${highest}). ` +
    'Changes made in the meantime may lack events: docs/history.md says how to number them.'
  );
}
