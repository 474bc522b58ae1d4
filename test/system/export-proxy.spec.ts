import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/races/eventually.js';
import { CSV, JSON_LINES, recordsOf } from '../support/records/files.js';
import { insertLongShipments } from '../support/database/large-lists.js';
import { Nginx } from '../support/http/nginx.js';
import { useReplica } from '../support/service/replica.js';
import { describeWith } from '../support/repository/tools.js';

/** About 40 MB, far more than all buffers on the way take. */
const COUNT = 5_000;
const PATIENCE_MS = 60_000;
/** A file of this size takes a small part of that to come through. */
const LONG_ENOUGH_MS = 2000;

describeWith(['nginx', 'openssl'], 'exports behind deploy/nginx.conf', () => {
  const service = useReplica(() => ({ TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn', WRITE_TIMEOUT_MS: '600000' }));
  let nginx: Nginx;

  beforeAll(async () => {
    nginx = await Nginx.start([service.replica.port, service.replica.port]);
    await insertLongShipments(service.sql, COUNT);
  }, 120_000);
  afterAll(() => nginx.stop());

  /** An export that was begun and waits for its reader. */
  function begun(headers = JSON_LINES): Promise<IncomingMessage> {
    const options = { ca: nginx.certificate.cert, agent: false, headers };
    return new Promise((resolve, reject) => {
      get(`${nginx.url}/v1/shipments`, options, resolve).on('error', reject);
    });
  }

  async function connections(): Promise<number[]> {
    const { rows } = await service.sql.query<{ pid: number }>(`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'waybill-exports' AND xact_start IS NOT NULL`);
    return rows.map(({ pid }) => pid);
  }

  async function outcomes(outcome: string): Promise<number> {
    const metrics = await (await fetch(`${service.replica.url}/metrics`)).text();
    return Number(new RegExp(`^waybill_exports_total{outcome="${outcome}"} (\\d+)`, 'm').exec(metrics)?.[1]);
  }

  test('the whole file comes through, over HTTP/1.1 and HTTP/2', async () => {
    const response = await begun();
    expect([response.statusCode, response.headers['x-accel-buffering']]).toEqual([200, undefined]);
    expect(recordsOf(await text(response))).toHaveLength(COUNT);
    const session = connectHttp2(nginx.url, { ca: nginx.certificate.cert });
    const lines = (await text(session.request({ ':path': '/v1/shipments', accept: CSV.Accept }))).split('\r\n');
    expect(lines).toHaveLength(COUNT + 2);
    session.destroy();
  });

  test('a file that nobody reads is kept nowhere, and ends when its reader goes away', async () => {
    const left = await outcomes('left');
    const response = await begun(CSV);
    let bytes = -1;
    const isStill = async () => {
      const earlier = bytes;
      await sleep(LONG_ENOUGH_MS);
      bytes = response.socket.bytesRead;
      return bytes === earlier;
    };
    await eventually(isStill, PATIENCE_MS, 'the buffers on the way are full');
    expect(await connections()).toHaveLength(1);
    expect(nginx.complaints.join('')).not.toContain('temporary file');
    response.destroy();
    await eventually(async () => (await connections()).length === 0, PATIENCE_MS, 'its query has ended');
    await eventually(async () => (await outcomes('left')) === left + 1, PATIENCE_MS, 'the export counts as left');
  });

  test('a file that is broken off is not taken for complete', async () => {
    const response = await begun();
    await service.sql.query('SELECT pg_terminate_backend($1)', [(await connections())[0]]);
    await expect(text(response)).rejects.toThrow();
    const session = connectHttp2(nginx.url, { ca: nginx.certificate.cert });
    const stream = session.request({ ':path': '/v1/shipments', accept: CSV.Accept });
    await new Promise((resolve) => stream.once('response', resolve));
    await service.sql.query('SELECT pg_terminate_backend($1)', [(await connections())[0]]);
    await expect(text(stream)).rejects.toThrow();
    session.destroy();
  });
});
