import type { Statement } from '../database/statement.js';
import type { BoundStatement, Transaction } from '../database/transaction.js';
import type { RenderedRow } from './rendered-record.js';

/** A command that writes a record. */
export interface WriteCommand extends BoundStatement {
  /**
   * The same for many records that are there already: each parameter is an array with one value for each record, the first of them
   * has the ids. It returns one row for each record that it has written, in any order.
   */
  readonly forMany?: () => Statement;
}

/**
 * Sends the commands in one go and returns the rows of each. Updates of the same fields are sent as one statement, in the place of
 * the first of them: most of what a statement costs, it costs once, not for each record.
 */
export async function writeTogether(
  transaction: Transaction,
  commands: readonly WriteCommand[],
): Promise<readonly (readonly RenderedRow[])[]> {
  const groups = groupsOf(commands);
  const answers = await transaction.run<RenderedRow>(groups.map(oneFor));
  const rows = new Map<WriteCommand, readonly RenderedRow[]>();
  groups.forEach((group, index) => {
    // A record that two commands of a group write has one row, and only one of them gets it: the other did not find its version.
    const byID = new Map(group.map((command) => [command.values[0], command]));
    for (const row of answers[index] ?? []) {
      const command = group.length === 1 ? group[0] : byID.get(row.id);
      if (command !== undefined) rows.set(command, [row]);
    }
  });
  return commands.map((command) => rows.get(command) ?? []);
}

/** Those that can be sent as one statement, in the order of the first of each. */
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
