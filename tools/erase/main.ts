import { readCommandLine, refuseCommandLine } from '../../src/config/command-line.js';
import { isUUID } from '../../src/validation/json-schema.js';
import { onDatabase } from '../on-database.js';
import { erase } from './erase.js';
import type { Target } from './erasure.js';

const USAGE = `
npm run history:erase -- --record ID [--by NAME] [--batch N] [--dry-run]
npm run history:erase -- --subject SUBJECT [--by NAME] [--batch N] [--dry-run]
  Erases personal data that history keeps. Every entry and event stays in its place, marked as erased.
  --record   the former values of a record and of what belongs to it: in its history, in rows of imports and in answers that
             are kept for an Idempotency-Key. A record that exists keeps its current version.
  --subject  the name of somebody who made changes, wherever it is kept
  --by       who wants it, for the record; otherwise the role of the database
  --batch    how many entries one transaction looks at (1000)
  --dry-run  only counts
  An erasure that was interrupted is resumed by the same command. Archived months are named, not changed.

It works on DATABASE_URL, with the role that owns the tables, or on the embedded database in DATA_DIR while no service runs on it.`;

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
    return refuseCommandLine(USAGE, 'Name either a record or a subject.');
  }
  if (subject !== undefined) return subject === '' ? refuseCommandLine(USAGE, 'The subject is empty.') : { subject };
  const recordID = String(record).toLowerCase();
  return isUUID(recordID)
    ? { recordID }
    : refuseCommandLine(USAGE, `--record takes the id of a record, not "${recordID}".`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
