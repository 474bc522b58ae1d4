// What the service sends to PostgreSQL, taken from the server's own log, so that it is true whatever the code looks like.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVICE = 'waybill';

/**
 * The statements that the service sends while `work` runs, in their order, with the values of their parameters.
 * @param {import('./database.mjs').BenchDatabase} database
 * @returns {Promise<{ text: string, values: (string | null)[] }[]>}
 */
export async function statementsDuring(database, work) {
  const path = await database.logFile();
  await logStatements(database, 'all');
  const { size } = await stat(path);
  try {
    await work();
  } finally {
    await logStatements(database, 'none');
  }
  return parse(await textFrom(path, size));
}

async function logStatements(database, which) {
  await database.query(`ALTER SYSTEM SET log_statement = '${which}'`);
  await database.query('SELECT pg_reload_conf()');
  // The server tells its sessions of a new setting in its own time.
  await sleep(300);
}

async function textFrom(path, position) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(size - position), 0, size - position, position);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}

/** An entry is a line that begins with the application's name, and the lines after it that begin with a tab. */
function parse(log) {
  const statements = [];
  for (const [, rest] of log.replaceAll('\n\t', '\n ').matchAll(entries)) {
    const executed = /^LOG: {2}(?:statement|execute [^:]+): ([^]*)$/.exec(rest);
    if (executed) statements.push({ text: executed[1].trim(), values: [] });
    const parameters = /^DETAIL: {2}Parameters: ([^]*)$/i.exec(rest);
    if (parameters) statements.at(-1).values = valuesIn(parameters[1]);
  }
  return statements;
}

const entries = new RegExp(`^${SERVICE}\\|\\d+\\|([^]*?)(?=\\n\\S|$(?![^]))`, 'gm');

/** $1 = '42', $2 = NULL */
function valuesIn(written) {
  return [...written.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'"),
  );
}
