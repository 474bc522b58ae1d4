import { readCommandLine, rejectCommandLine } from '../../src/config/command-line.js';
import { onDatabase } from '../on-database.js';
import { archive } from './archive.js';
import { MonthFile } from './month-file.js';
import { Month } from './month.js';
import { restore } from './restore.js';

const USAGE = `
npm run history:archive -- --before YYYY-MM --to FOLDER [--dry-run]
  Moves every month of history before YYYY-MM out of the database, each into a compressed file in FOLDER.
  For those months, ?version= then returns 404 (except for the current version), a 412 has currentETag but no changes,
  and a history has only the remaining entries.

npm run history:restore -- FILE
  Restores a month from its file.

Both require DATABASE_URL; embedded is the database in DATA_DIR, while no service is running on it.`;

const NAME = 'waybill archive';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(USAGE, {
    allowPositionals: true,
    options: {
      before: { type: 'string' },
      to: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [command, path] = positionals;
  const { before, to: folder, 'dry-run': dryRun } = values;
  if (command === 'archive' && before !== undefined && folder !== undefined) {
    const month = Month.parse(before);
    const moved = await onDatabase(NAME, say, (client) => archive(client, { before: month, folder, dryRun, say }));
    if (moved > 0)
      say(`${moved} months moved to ${folder}. Keep these files: their entries are no longer in the database.`);
  } else if (command === 'restore' && path !== undefined) {
    const file = new MonthFile(path);
    say(`${await onDatabase(NAME, say, (client) => restore(client, file, say))} entries restored.`);
  } else {
    rejectCommandLine(USAGE, 'An argument is missing.');
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
