import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Exports } from '../../src/files/exports.js';
import { Slots } from '../../src/http/slots.js';
import { makeCertificate } from '../support/service/certificate.js';
import { eventually } from '../support/races/eventually.js';
import { JSON_LINES, recordsOf } from '../support/records/files.js';
import { insertLongShipments } from '../support/database/large-lists.js';
import { startService, type TestService } from '../support/service/service.js';

/** About 14 MB, more than the buffers of the operating system take for a connection. */
const COUNT = 1800;
const PATIENCE_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'waybill-export-tls-'));
const { certFile, keyFile, cert } = makeCertificate(folder);
const ENVIRONMENT = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile };

let service: TestService;

beforeAll(async () => {
  service = await startService(ENVIRONMENT);
  await insertLongShipments(service.sql, COUNT);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** An export that was begun, over a connection of its own, and waits for its reader. */
async function begun({ port }: TestService): Promise<IncomingMessage> {
  const options = { ca: cert, agent: false, headers: JSON_LINES };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`https://localhost:${port}/v1/shipments`, options, resolve).on('error', reject);
  });
  expect(response.statusCode).toBe(200);
  return response;
}

async function untilOutcome({ app }: TestService, outcome: 'complete' | 'left', count: number): Promise<void> {
  const exports = app.get(Exports);
  const isSo = () => exports.outcomes[outcome] === count && app.get(Slots).exports.inUse === 0;
  await eventually(isSo, PATIENCE_MS, `${count} exports are ${outcome}`);
}

test('the whole file comes over TLS', async () => {
  expect(recordsOf(await text(await begun(service)))).toHaveLength(COUNT);
  await untilOutcome(service, 'complete', 1);
});

test('a reader is waited for, and one that goes away ends its export', async () => {
  const response = await begun(service);
  const { socket } = response;
  await eventually(() => socket.bytesRead > 0, PATIENCE_MS, 'the first bytes');
  expect(service.app.get(Slots).exports.inUse).toBe(1);
  response.destroy();
  await untilOutcome(service, 'left', 1);
});

test('a reader that does not read is cut off', async () => {
  const impatient = await startService({ ...ENVIRONMENT, WRITE_TIMEOUT_MS: '300' }, () => service.databaseUrl);
  const response = await begun(impatient);
  await untilOutcome(impatient, 'left', 1);
  await expect(text(response)).rejects.toThrow();
  await impatient.stop();
});
