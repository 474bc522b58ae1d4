import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { WaybillClient } from '@waybill/client';
import type { verifyWebhook } from '@waybill/client/webhooks';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import type { Json } from '../support/http/api.js';
import { Receiver } from '../support/http/receiver.js';
import { eventually } from '../support/races/eventually.js';
import { Replica } from '../support/service/replica.js';

const FIXTURES = 'test/fixtures';
const PATIENCE_MS = 60_000;

/** What `npm run campaign -- fixture` of each released version has left, upgraded to this version. */
describe.each(readdirSync(FIXTURES))('the database of %s, upgraded,', (version) => {
  const file = (name: string) => join(FIXTURES, version, name);
  const remembered: Json = JSON.parse(readFileSync(file('remembered.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'waybill-fixture-'));
  let database: TestDatabase;
  let replica: Replica;
  let receiver: Receiver;
  /** That version's client. */
  let client: WaybillClient;
  let verify: typeof verifyWebhook;

  beforeAll(async () => {
    database = await createTestDatabase('template1');
    const sql = await connect(database.url);
    await sql.query(gunzipSync(readFileSync(file('dump.sql.gz'))).toString());
    await sql.query(readFileSync(file('as-if-now.sql'), 'utf8'));
    await sql.end();
    run('migrate');
    receiver = await Receiver.start();
    const configuration = parseEnv(readFileSync(file('configuration.env'), 'utf8')) as Record<string, string>;
    replica = await Replica.launch({ ...configuration, DATABASE_URL: database.url });
    await replica.untilReady();

    execFileSync('tar', ['-x', '-f', file(`waybill-client-${version}.tgz`), '-C', folder]);
    const built = join(folder, 'package/dist/cjs');
    const { WaybillClient: OldClient } = await import(join(built, 'waybill.js'));
    client = new OldClient({ baseUrl: replica.url, token: remembered.key });
    ({ verifyWebhook: verify } = await import(join(built, 'webhooks.js')));
  });
  afterAll(async () => {
    await replica.kill();
    await receiver.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  /** Runs a tool of this version. */
  function run(tool: string, ...words: string[]): void {
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    execFileSync(process.execPath, [`dist/tools/${tool}/main.js`, ...words], { env, stdio: 'pipe' });
  }

  it('sends the events after an old cursor, each with its old id', async () => {
    const { after, then } = remembered.events;
    const ids = [];
    for await (const { id } of client.events.list({ after })) ids.push(id);
    expect(ids.slice(0, then.length)).toEqual(then);
    expect(ids.length).toBeGreaterThan(then.length);
  });

  it('accepts the API key and the records of its client, which merges into an old version', async () => {
    const { id, eTag } = remembered.shipment;
    const base = await client.shipments.get(id, { version: eTag });
    const { actualWeight, customerRemarks } = await client.shipments.update(base, { customerRemarks: 'Upgraded.' });
    expect([base.actualWeight, actualWeight, customerRemarks]).toEqual([null, 4200, 'Upgraded.']);
  });

  it('delivers what was pending, then new events, signed with the secret that receivers have', async () => {
    const { id, secret, headers, body, pending } = remembered.webhook;
    const years = { toleranceSeconds: Infinity };
    expect(await verify(headers, body, secret, years)).toMatchObject({ type: 'shipment.updated' });
    await client.webhooks.update(id, { url: receiver.url, enabled: false });
    // Resumes the backlog at once.
    await client.webhooks.update(id, { enabled: true });
    const { id: shipmentID } = remembered.shipment;
    const { eTag } = await client.shipments.update(shipmentID, { actualWeight: 4300 });
    const eTags = () => receiver.received.map(({ event }) => event.data.eTag as unknown);
    await eventually(() => eTags().includes(eTag), PATIENCE_MS, 'the new event');
    const ofShipment = receiver.received.filter(({ event }) => event.data.resourceID === shipmentID);
    expect(ofShipment[0]?.event.data.eTag).toBe(pending);
    for (const received of receiver.received) await verify(received.headers, received.body, secret);
  });

  it('applies the other half of an import, each row once', async () => {
    const { id, rows } = remembered.imported;
    expect(await client.imports.wait(id)).toMatchObject({ created: rows - 1, changed: 1, refused: 0 });
    const found = [];
    for await (const shipment of client.shipments.list({ q: 'Imported' })) found.push(shipment.customerRemarks);
    expect([found.length, new Set(found).size]).toEqual([rows, rows]);
  });

  it('answers a repeated request from before the upgrade with the stored response', async () => {
    const { path, key, body, response } = remembered.idempotent;
    const repeated = await fetch(replica.url + path, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${remembered.key}`, 'Content-Type': 'application/json' },
        'Idempotency-Key': key,
      },
      body,
    });
    expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');
    expect([repeated.status, await repeated.json()]).toEqual([201, response]);
  });

  it('restores a deleted record', async () => {
    const { id } = remembered.deleted;
    const { items } = await client.deletions.list({ resource: ['shipment'] }).page();
    const deletion = items.find(({ resourceID }) => resourceID === id);
    const restored = await client.shipments.undelete(id, deletion?.deletionETag ?? '');
    expect(restored).toMatchObject({ id, customerRemarks: 'Restore me.' });
  });

  it('takes back an archived month', async () => {
    const { id, was } = remembered.archived;
    const old = () => client.shipments.get(id, { version: was });
    await expect(old()).rejects.toMatchObject({ status: 404 });
    const month = readdirSync(join(FIXTURES, version)).find(
      (name) => name.startsWith('history_') && name.endsWith('.gz'),
    );
    run('archive', 'restore', file(String(month)));
    expect(await old()).toMatchObject({ customerRemarks: 'First version' });
  });
});
