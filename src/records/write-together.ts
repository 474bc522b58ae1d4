import type { BoundStatement, PlainRow, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';

export interface WriteCommand extends BoundStatement {
  /**
   * The same for many existing records: each parameter is an array with one value per record, and the first array has the ids. Returns
   * one row per written record, in any order, which begins with the id.
   */
  readonly forMany?: () => Statement;
}

/** Pipelines the statements. Updates of the same fields are merged at the first of them: most of the cost is per statement. */
export async function writeTogether(
  transaction: Transaction,
  commands: readonly WriteCommand[],
): Promise<readonly (readonly PlainRow[])[]> {
  const groups = groupsOf(commands);
  const results = await transaction.run<PlainRow>(groups.map(oneFor));
  const rows = new Map<WriteCommand, readonly PlainRow[]>();
  groups.forEach((group, index) => {
    // If two statements of a group write the same record, only one gets its row: the other did not find its version.
    const byID = new Map(group.map((command) => [command.values[0], command]));
    for (const row of results[index] ?? []) {
      const command = group.length === 1 ? group[0] : byID.get(row[0]);
      if (command !== undefined) rows.set(command, [row]);
    }
  });
  return commands.map((command) => rows.get(command) ?? []);
}

/** Groups statements that can be merged, ordered by the first of each. */
function groupsOf(commands: readonly WriteCommand[]): WriteCommand[][] {
  const groups = new Map<unknown, WriteCommand[]>();
  for (const command of commands) {
    const alike = command.forMany === undefined ? command : command.statement.text;
    const group = groups.get(alike) ?? [];
    groups.set(alike, group);
    group.push(command);
  }
  return [...groups.values()];
}

function oneFor(group: readonly WriteCommand[]): BoundStatement {
  const [first, ...others] = group;
  if (first === undefined) throw new Error('A group has at least one command');
  if (first.forMany === undefined || others.length === 0) return first;
  return {
    statement: first.forMany(),
    values: first.values.map((_, index) => group.map(({ values }) => values[index])),
  };
}
