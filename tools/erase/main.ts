import { readCommandLine, rejectCommandLine } from '../../src/config/command-line.js';
import { isUUID } from '../../src/validation/json-schema.js';
import { onDatabase } from '../on-database.js';
import { erase, hasFound } from './erase.js';
import type { Target } from './erasure.js';
import { ERASED } from './redaction.js';

const USAGE = `
npm run history:erase -- --record ID [--by NAME] [--batch N] [--dry-run]
npm run history:erase -- --subject SUBJECT [--by NAME] [--batch N] [--dry-run]
npm run history:erase -- --name NAME [--by NAME] [--batch N] [--dry-run]
  Erases personal data from history. Every entry and event is kept, marked as erased.
  --record   the past values of a record and its children, in history, import rows and responses stored for an
             Idempotency-Key. An existing record keeps its current version.
  --subject  the subject of an author of changes and its display names, wherever they are stored
  --name     a display name that nobody verified (AUTH_MODE=off). If subjects used it, lists them and erases nothing.
  --by       the person who requested it, for the record (default: the database role)
  --batch    entries per transaction (1000)
  --dry-run  only counts
  The same command resumes an interrupted erasure. Archived months are listed, not changed.
  Ends with 3 if it found nothing. Such an erasure is recorded, too: it applies to months that are restored later.

Requires DATABASE_URL, with the role that owns the tables; embedded is the database in DATA_DIR, while no service is running on it.`;

const MAX_BATCH = 100_000;

const FOUND_NOTHING = 3;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      record: { type: 'string' },
      subject: { type: 'string' },
      name: { type: 'string' },
      by: { type: 'string' },
      batch: { type: 'string', default: '1000' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { by, batch, 'dry-run': dryRun } = values;
  const target = targetOf(values);
  const batchSize = Number(batch);
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_BATCH) {
    rejectCommandLine(USAGE, `--batch must be a whole number from 1 to ${MAX_BATCH}, but is "${batch}".`);
  }
  const counts = await onDatabase('waybill erase', say, (client) => {
    return erase(client, { target, requestedBy: by, batchSize, dryRun, say });
  });
  if (!hasFound(counts)) process.exitCode = FOUND_NOTHING;
}

type Words = Readonly<Partial<Record<'record' | 'subject' | 'name', string>>>;

function targetOf({ record, subject, name }: Words): Target {
  const [text, ...others] = [record, subject, name].filter((each) => each !== undefined);
  if (text === undefined || others.length > 0) {
    return rejectCommandLine(USAGE, 'Pass one of --record, --subject and --name.');
  }
  if (record === undefined) {
    const what = subject === undefined ? 'name' : 'subject';
    if (text === '') return rejectCommandLine(USAGE, `The ${what} is empty.`);
    if (text === ERASED) return rejectCommandLine(USAGE, `"${ERASED}" stands for authors that are erased.`);
    return subject === undefined ? { name: text } : { subject };
  }
  const recordID = record.toLowerCase();
  return isUUID(recordID)
    ? { recordID }
    : rejectCommandLine(USAGE, `--record must be the id of a record, but is "${recordID}".`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
