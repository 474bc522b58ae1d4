import { Client as SqlClient } from 'pg';
import { Conformance } from '../../../test/support/records/conformance.js';
import { Replica } from '../../../test/support/service/replica.js';
import { jwtEnvironment, KeySetServer, newKey } from '../../../test/support/http/tokens.js';
import { Client } from './client.js';
import { Description } from './description.js';
import { plant, type Fixture } from './fixture.js';
import { Rows } from './rows.js';
import type { Tally } from './tally.js';
import { makeTokens, type Tokens } from './tokens.js';

/** The service as it is deployed, twice on one database: open to everybody, and with tokens demanded. */
export interface Target {
  readonly description: Description;
  readonly client: Client;
  readonly guarded: Client;
  readonly tokens: Tokens;
  readonly fixture: Fixture;
  readonly rows: Rows;
  readonly tally: Tally;
  /** Values that only the database rejected, according to the metrics of both processes. */
  gaps(): Promise<string[]>;
  stop(): Promise<void>;
}

const PRODUCTION = { NODE_ENV: 'production', LOG_LEVEL: 'warn' };

export async function startTarget(
  database: { readonly url: string; readonly serviceUrl: string },
  environment: Record<string, string>,
  tally: Tally,
): Promise<Target> {
  const key = await newKey('fuzz');
  const keySet = await KeySetServer.start(key);
  const common = { ...PRODUCTION, DATABASE_URL: database.serviceUrl, DRAIN_DELAY_MS: '0', ...environment };
  const open = await Replica.start({ ...common, AUTH_MODE: 'off' });
  const closed = await Replica.start({
    ...common,
    ...jwtEnvironment(keySet.url),
    JWT_ALGORITHMS: 'ES256',
    // In production the keys must come over https.
    NODE_ENV: 'test',
  });
  const sql = new SqlClient({ connectionString: database.url });
  await sql.connect();
  const document = await (await fetch(`${open.url}/openapi.json`)).json();
  const description = new Description(document);
  const clients = [open, closed].map(({ port }) => new Client(port, description, Conformance.of(document), tally));
  const [client, guarded] = clients as [Client, Client];
  const stop = async () => {
    for (const one of clients) one.close();
    await sql.end();
    await Promise.all([open.stop(), closed.stop(), keySet.stop()]);
  };
  try {
    const rows = new Rows(sql);
    const fixture = await plant(client);
    await rows.changes();
    const gaps = async () => (await Promise.all([open, closed].map(({ url }) => gapsOf(url)))).flat();
    return { description, client, guarded, tokens: await makeTokens(key), fixture, rows, tally, gaps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function gapsOf(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').filter((line) => /^waybill_validation_gaps\{.*\} (?!0$)/.test(line));
}
