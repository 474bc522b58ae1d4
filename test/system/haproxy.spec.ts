import { connect } from 'node:http2';
import { PROBLEMS, type ProblemCode } from '../../src/problem/catalogue.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { DyingReplica } from '../support/http/dying-replica.js';
import { freePort } from '../support/http/free-port.js';
import { HaProxy } from '../support/http/haproxy.js';
import { keptConnections } from '../support/http/send.js';
import { eventually } from '../support/races/eventually.js';
import { notThereOnce } from '../support/races/exactly-once.js';
import { Load, type LoadAnswer } from '../support/races/load.js';
import { describeWith } from '../support/repository/tools.js';
import { Replica } from '../support/service/replica.js';

describeWith(['haproxy', 'openssl'], 'two replicas behind deploy/haproxy.cfg', () => {
  let server: PostgresServer;
  let replicas: [Replica, Replica];
  let haproxy: HaProxy;

  beforeAll(async () => {
    server = await PostgresServer.start();
    const ports = [await freePort(), await freePort()] as const;
    const start = (management: number) =>
      Replica.start({
        ...{ DATABASE_URL: server.url, MANAGEMENT_PORT: String(management), POOL_SIZE: '5' },
        ...{ DRAIN_DELAY_MS: '5000', TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' },
      });
    replicas = [await start(ports[0]), await start(ports[1])];
    haproxy = await HaProxy.start([
      { port: replicas[0].port, management: ports[0] },
      { port: replicas[1].port, management: ports[1] },
    ]);
  });
  afterAll(async () => {
    await haproxy.stop();
    for (const replica of replicas) await replica.stop();
    await server.remove();
  });

  test('no request fails while a replica is drained, and no write is done twice when one is killed', async () => {
    const { send, close } = keptConnections(haproxy.url, haproxy.certificate.cert);
    const load = new Load(send, { writers: 4, readers: 2, pauseMs: 5 }).start();
    const untilMore = (count: number) => {
      const goal = load.accepted.length + count;
      return eventually(() => load.accepted.length > goal, 60_000, `${count} more writes`);
    };
    try {
      await untilMore(50);
      expect(await replicas[0].stop()).toBe(0);
      await untilMore(50);
      await replicas[0].startAgain();
      expect([load.faults, [...load.outcomes.keys()].filter((outcome) => !/ 20[01]$/.test(outcome))]).toEqual([[], []]);
      for (const replica of [replicas[1], replicas[0]]) {
        await untilMore(20);
        await replica.kill();
        await untilMore(20);
        await replica.startAgain();
      }
    } finally {
      await load.stop();
      close();
    }
    process.stdout.write(`${JSON.stringify([...load.outcomes])}\n`);
    expect(load.faults).toEqual([]);
    expect(await notThereOnce(server, load.accepted)).toEqual([]);
    // A shipment opens a move, which has no mark.
    const twice = `SELECT mark FROM (
        SELECT coalesce(record->>'customer_remarks', record->>'order_id') AS mark FROM history WHERE type IN ('created', 'updated')
      ) AS entries WHERE mark IS NOT NULL GROUP BY mark HAVING count(*) > 1`;
    expect(await server.sql(twice)).toEqual([]);
  }, 300_000);
});

describeWith(['haproxy', 'openssl'], 'deploy/haproxy.cfg in front of replicas that die', () => {
  let replicas: [DyingReplica, DyingReplica];
  let haproxy: HaProxy;

  beforeAll(async () => {
    replicas = [await DyingReplica.start(), await DyingReplica.start()];
    haproxy = await HaProxy.start(replicas);
  });
  afterAll(async () => {
    await haproxy.stop();
    for (const replica of replicas) replica.stop();
  });

  /** The second request of a connection, which HAProxy alone would not answer. */
  async function overHttp1(method: string, headers: Record<string, string>): Promise<LoadAnswer> {
    const { send, close } = keptConnections(haproxy.url, haproxy.certificate.cert);
    await send('GET', '/v1/moves');
    for (const replica of replicas) replica.requests = 0;
    return send(method, '/v1/moves/1', method === 'GET' ? undefined : {}, headers).finally(close);
  }

  async function overHttp2(method: string, headers: Record<string, string>): Promise<LoadAnswer> {
    const session = connect(haproxy.url, { ca: haproxy.certificate.cert });
    for (const replica of replicas) replica.requests = 0;
    const stream = session.request({ ':method': method, ':path': '/v1/moves/1', ...headers }, { endStream: false });
    stream.end(method === 'GET' ? undefined : '{}');
    let text = '';
    let received: Record<string, string> = {};
    stream.on('response', (fields) => (received = fields as Record<string, string>));
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject)).finally(() =>
      session.close(),
    );
    return { status: Number(received[':status']), headers: received, body: JSON.parse(text) };
  }

  function expectProblem(
    { status, headers, body }: LoadAnswer,
    code: ProblemCode,
    retryAfter: string | undefined,
  ): void {
    expect(body).toMatchObject({ code, status, title: PROBLEMS[code].title, instance: '/v1/moves/1' });
    expect([status, headers['content-type'], headers['retry-after'], headers['x-request-id']]).toEqual([
      ...[PROBLEMS[code].status, 'application/problem+json', retryAfter, body.requestID],
    ]);
  }

  describe.each([
    ['a kept connection', overHttp1],
    ['HTTP/2', overHttp2],
  ])('over %s', (_, send) => {
    test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s without a key is sent once: OUTCOME_UNKNOWN', async (method) => {
      expectProblem(await send(method, {}), 'OUTCOME_UNKNOWN', undefined);
      expect(replicas[0].requests + replicas[1].requests).toBe(1);
    });

    test.each(['POST', 'PATCH', 'PUT', 'DELETE'])('%s with a key is sent to both', async (method) => {
      expectProblem(await send(method, { 'Idempotency-Key': '"a-key"' }), 'OUTCOME_UNKNOWN', '1');
      expect([replicas[0].requests, replicas[1].requests]).toEqual([1, 1]);
    });

    test('GET is sent to both, and may be repeated', async () => {
      expectProblem(await send('GET', {}), 'UNAVAILABLE', '1');
      expect([replicas[0].requests, replicas[1].requests]).toEqual([1, 1]);
    });
  });
});

describeWith(['haproxy', 'openssl'], 'deploy/haproxy.cfg without a replica', () => {
  test('UNAVAILABLE, because nothing was sent', async () => {
    const haproxy = await HaProxy.start([{ port: await freePort() }, { port: await freePort() }]);
    const { send, close } = keptConnections(haproxy.url, haproxy.certificate.cert);
    try {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status, headers, body } = await send(method, '/v1/moves/1', method === 'GET' ? undefined : {});
        expect([method, status, headers['retry-after'], body.code]).toEqual([method, 503, '1', 'UNAVAILABLE']);
      }
    } finally {
      close();
      await haproxy.stop();
    }
  });
});
