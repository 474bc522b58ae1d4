import { execFileSync, spawnSync } from 'node:child_process';
import { readCommandLine } from '../../../src/config/command-line.js';
import { debianPostgres } from '../../../test/support/database/debian-postgres.mjs';
import { PostgresServer } from '../../../test/support/database/postgres-server.js';
import { measured } from '../../evidence/measured.mjs';
import { exitWith, say, wholeNumber } from '../crash/report.js';

const USAGE = `Fills a database of Debian's PostgreSQL, and has deploy/restore-drill.sh dump it, restore it and compare both.

  npm run campaign -- restore-drill [--moves N]

  --moves N  with three shipments each on average (20000)

Needs Debian's postgresql.`;

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, { options: { moves: { type: 'string', default: '20000' } } });
  const moves = String(wholeNumber('moves', values.moves));
  const binDir = debianPostgres();
  const server = await PostgresServer.start({ binDir });
  try {
    const env = { PATH: `${binDir}:${String(process.env['PATH'])}`, DATABASE_URL: server.url };
    for (const program of [['migrate/main.js'], ['seed/main.js', '--moves', moves]]) {
      const [file, ...words] = program;
      execFileSync(process.execPath, [`dist/tools/${file}`, ...words], { env, stdio: 'inherit' });
    }
    const { stdout: said, status } = spawnSync('deploy/restore-drill.sh', [server.url], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    say(said);
    const [{ server_version: postgres } = { server_version: '' }] = await server.sql<{ server_version: string }>(
      'SHOW server_version',
    );
    measured({ figures: figuresIn(said), versions: { postgres: /[\d.]+/.exec(postgres)?.[0] } });
    return status === 0;
  } finally {
    await server.remove();
  }
}

/** The rows of each table, and the times and the size of the last line. */
function figuresIn(said: string): Record<string, number> {
  const rows = [...said.matchAll(/^(\w+)\|(\d+)\|/gm)].map(([, table = '', count]) => [table, Number(count)] as const);
  const [, dump, restore, size] = /dump (\d+) s, restore (\d+) s, ([\d.]+)M/.exec(said) ?? [];
  return {
    ...Object.fromEntries(rows),
    ...{ dumpSeconds: Number(dump), restoreSeconds: Number(restore), dumpMegabytes: Number(size) },
  };
}

exitWith(main);
