import type { Client as SqlClient } from 'pg';
import { startService, type TestService } from '../support/service/service.js';
import { Client, faultOf, type Refusal, type Sent } from './client.js';

/** One service for the tests of a spec, and what they share: a client, the count of cases, the count of all rows. */
export interface Hostile extends TestService {
  readonly client: Client;
  /** Sends requests that must be refused and returns a line for each that is not; nothing may be stored by any of them. */
  refusedAll(cases: readonly (Sent & { readonly name: string; readonly refusal: Refusal })[]): Promise<string[]>;
}

export function useHostileService(environment: Record<string, string> = {}): Hostile {
  const hostile = {} as Hostile;
  beforeAll(async () => {
    const service = await startService({ POOL_SIZE: '2', ...environment });
    const client = new Client(service.port);
    Object.assign(hostile, service, { client }, { refusedAll: (cases: never) => refusedAll(hostile, cases) });
  });
  afterAll(async () => {
    hostile.client.close();
    await hostile.stop();
  });
  return hostile;
}

async function refusedAll(
  { client, sql }: Hostile,
  cases: readonly (Sent & { readonly name: string; readonly refusal: Refusal })[],
): Promise<string[]> {
  if (cases.length === 0) throw new Error('No case was made, so nothing was tried');
  const before = await rowCounts(sql);
  const faults: string[] = [];
  for (const { name, refusal, ...request } of cases) {
    const fault = faultOf(await client.send(request), refusal);
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  const after = await rowCounts(sql);
  if (after !== before) faults.push(`Something was stored: ${before} became ${after}`);
  return faults;
}

/** The rows of all tables. History has one for each change of any record, so that its count tells of updates as well. */
export async function rowCounts(sql: SqlClient): Promise<string> {
  const { rows } = await sql.query<{ counts: object }>(`
    SELECT json_build_object(
      'moves', (SELECT count(*) FROM moves), 'shipments', (SELECT count(*) FROM shipments),
      'agents', (SELECT count(*) FROM agents), 'services', (SELECT count(*) FROM services),
      'history', (SELECT count(*) FROM history), 'keys', (SELECT count(*) FROM idempotency_keys)
    ) AS counts`);
  return JSON.stringify(rows[0]?.counts);
}
