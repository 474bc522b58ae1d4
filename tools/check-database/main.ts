import { readCommandLine, rejectCommandLine } from '../../src/config/command-line.js';
import { readToolConfig } from '../tool-config.js';
import { libpqUrl, tlsFault } from '../../src/config/database-url.js';
import { connectionFailure } from '../../src/database/connection-failure.js';
import { explainFailure } from '../../src/database/explain-failure.js';
import { negotiateTls } from '../../src/database/negotiate-tls.js';
import { attempt } from './check.js';
import { CHECKS } from './checks.js';
import { Sessions } from './sessions.js';

const USAGE = `Tests the features that the service requires of a database, in a temporary schema, and explains the consequences of each
missing one.

  npm run check:database -- [postgresql://user:password@host:5432/database]

Without a URL, it checks the database that DATABASE_URL or DATABASE_URL_FILE names, as the service would use it.`;

const CONNECT_WITHIN_MS = 10_000;

async function main(): Promise<void> {
  const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
  const sessions = await open(positionals.length === 0 ? configuredUrl() : writtenUrl(positionals));
  try {
    const { rows } = await sessions.first.query<{ version: string }>('SELECT version()');
    say(rows[0]?.version ?? '');
    let missing = 0;
    for (const check of CHECKS) {
      const failure = await attempt(check, sessions);
      if (failure !== undefined) missing += 1;
      say(
        failure === undefined ? `yes  ${check.name}` : `no   ${check.name}\n       ${failure}\n       ${check.without}`,
      );
      // Without the schema, the other checks cannot run.
      if (failure !== undefined && check === CHECKS[0]) break;
    }
    say(missing === 0 ? 'The service can use this database.' : `${missing} of ${CHECKS.length} missing.`);
    process.exitCode = missing === 0 ? 0 : 1;
  } finally {
    await sessions.close();
  }
}

/** Never the embedded PostgreSQL, which needs no check. */
function configuredUrl(): string {
  const { DATABASE_URL: url, DATABASE_CA_FILE: caFile } = readToolConfig();
  if (url === undefined) rejectCommandLine(USAGE, 'Pass the URL of one database, or set DATABASE_URL.');
  return libpqUrl(url, caFile);
}

function writtenUrl([url = '', ...others]: readonly string[]): string {
  if (others.length > 0) rejectCommandLine(USAGE, 'Pass the URL of one database.');
  if (!/^postgres(ql)?:\/\//.test(url)) {
    rejectCommandLine(USAGE, 'The URL of a database begins with postgres:// or postgresql://.');
  }
  const fault = tlsFault(url, undefined);
  if (fault !== undefined) rejectCommandLine(USAGE, fault);
  return libpqUrl(url);
}

async function open(url: string): Promise<Sessions> {
  try {
    return await Sessions.open(await negotiateTls(url, CONNECT_WITHIN_MS));
  } catch (error) {
    throw connectionFailure(url, error);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
});
