import { once } from 'node:events';
import { connect } from 'node:net';
import { createShipment } from '../support/records/records.js';
import { useReplica } from '../support/service/replica.js';

const CROWD = 1000;

const service = useReplica(() => ({ LOG_LEVEL: 'warn' }));

beforeAll(() => Promise.all(Array.from({ length: 20 }, () => createShipment(service.replica.api))));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

/** The status of the answer on a connection that is opened now, or was opened before. */
async function statusOf(path: string, socket = connect(service.replica.port, '127.0.0.1')): Promise<string> {
  socket.write(get(path));
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return String(chunk).split(' ')[1] ?? '';
}

test(`health answers before ${CROWD / 2} of ${CROWD} clients that connect at once, also to who connects after them`, async () => {
  const open = connect(service.replica.port, '127.0.0.1');
  await once(open, 'connect');
  const statuses: string[] = [];
  const crowd = Array.from({ length: CROWD }, () => statusOf('/v1/shipments').then((status) => statuses.push(status)));
  const health = [statusOf('/health/live', open), statusOf('/health/live')].map(async (answer) => {
    expect(await answer).toBe('200');
    return statuses.length;
  });
  const answeredBefore = await Promise.all(health);
  await Promise.all(crowd);
  expect(Math.max(...answeredBefore)).toBeLessThan(CROWD / 2);
  // Whom the service cannot serve in time, it tells so; it drops nobody.
  expect(statuses.filter((status) => status !== '200' && status !== '503')).toEqual([]);
  expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(CROWD / 2);
});
