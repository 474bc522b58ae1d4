import { readCommandLine, refuseCommandLine } from '../../src/config/command-line.js';
import { isUUID } from '../../src/validation/json-schema.js';
import { onDatabase } from '../on-database.js';
import { erase } from './erase.js';
import type { Target } from './erasure.js';

const USAGE = `
npm run history:erase -- --record ID [--by NAME] [--batch N] [--dry-run]
npm run history:erase -- --subject SUBJECT [--by NAME] [--batch N] [--dry-run]
  Erases personal data from history. Every entry and event is kept, marked as erased.
  --record   the past values of a record and its children, in history, import rows and responses stored for an
             Idempotency-Key. An existing record keeps its current version.
  --subject  the name of an author of changes, wherever it is stored
  --by       the person who requested it, for the record (default: the database role)
  --batch    entries per transaction (1000)
  --dry-run  only counts
  The same command resumes an interrupted erasure. Archived months are listed, not changed.

Uses DATABASE_URL, with the role that owns the tables, or the embedded database in DATA_DIR while no service is running on it.`;

const MAX_BATCH = 100_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      record: { type: 'string' },
      subject: { type: 'string' },
      by: { type: 'string' },
      batch: { type: 'string', default: '1000' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { by, batch, 'dry-run': dryRun } = values;
  const target = targetOf(values);
  const batchSize = Number(batch);
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_BATCH) {
    refuseCommandLine(USAGE, `--batch must be a whole number from 1 to ${MAX_BATCH}, but is "${batch}".`);
  }
  await onDatabase('waybill erase', say, (client) => {
    return erase(client, { target, requestedBy: by, batchSize, dryRun, say });
  });
}

function targetOf({ record, subject }: { record?: string | undefined; subject?: string | undefined }): Target {
  if ((record === undefined) === (subject === undefined)) {
    return refuseCommandLine(USAGE, 'Pass either --record or --subject.');
  }
  if (subject !== undefined) return subject === '' ? refuseCommandLine(USAGE, 'The subject is empty.') : { subject };
  const recordID = String(record).toLowerCase();
  return isUUID(recordID)
    ? { recordID }
    : refuseCommandLine(USAGE, `--record must be the id of a record, but is "${recordID}".`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
