import { eventually } from '../support/races/eventually.js';
import { notThereOnce } from '../support/races/exactly-once.js';
import { Load } from '../support/races/load.js';
import { Nginx } from '../support/http/nginx.js';
import { exchange } from '../support/http/plain-http.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { keptConnections } from '../support/http/send.js';
import { repetitions } from '../support/repository/sweeps.js';
import { describeWith } from '../support/repository/tools.js';

const RESTARTS = repetitions(12, 2);
/** Each restart has about a hundred requests on their way within the second in which its port closes. */
const LOAD = { writers: 4, readers: 2, pauseMs: 15 };
/** While a replica starts, which takes longer the more the machine has to do, and no port closes. */
const RELAXED_PAUSE_MS = 150;

/** Longer by a second than deploy/nginx.conf keeps idle connections to a replica, for nginx too may have to wait for a processor. */
const ENVIRONMENT = {
  DRAIN_DELAY_MS: '2000',
  POOL_SIZE: '5',
  TRUSTED_PROXIES: 'loopback',
  LOG_LEVEL: 'warn',
  PUBLIC_URL: 'https://waybill.example',
};

describeWith(['nginx', 'openssl'], 'two replicas behind deploy/nginx.conf', () => {
  let server: PostgresServer;
  let replicas: [Replica, Replica];
  let nginx: Nginx;

  beforeAll(async () => {
    server = await PostgresServer.start();
    const start = () => Replica.start({ DATABASE_URL: server.url, ...ENVIRONMENT });
    replicas = [await start(), await start()];
    nginx = await Nginx.start([replicas[0].port, replicas[1].port]);
  });
  afterAll(async () => {
    await nginx.stop();
    for (const replica of replicas) expect(await replica.stop()).toBe(0);
    await server.remove();
  });

  test('strong ETag, request id and HSTS come through, health and metrics do not', async () => {
    const { send, close } = keptConnections(nginx.url, nginx.certificate.cert);
    const created = await send('POST', '/v1/moves', {});
    const headers = { 'X-Request-ID': 'told-by-the-client', 'Accept-Encoding': 'gzip', Host: 'waybill.example' };
    const options = { ca: nginx.certificate.cert, servername: 'localhost', agent: false, headers } as const;
    const read = await exchange(`${nginx.url}/v1/moves/${created.body.id}`, options);
    expect(read.status).toBe(200);
    expect(read.headers).toMatchObject({
      etag: `"${created.body.eTag}"`,
      'x-request-id': 'told-by-the-client',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
    });
    expect(read.headers['content-encoding']).toBeUndefined();
    for (const path of ['/health/ready', '/metrics']) expect((await send('GET', path)).status).toBe(404);
    close();
  });

  test(`0 failed requests in ${RESTARTS} rolling restarts under load, and every accepted write is there once`, async () => {
    const { send, close } = keptConnections(nginx.url, nginx.certificate.cert);
    const load = new Load(send, LOAD).start();
    try {
      await eventually(() => load.accepted.length > 20, 20_000, 'the load runs');
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        const replica = replicas[restart % 2 === 0 ? 0 : 1];
        load.pauseMs = LOAD.pauseMs;
        expect(await replica.stop()).toBe(0);
        load.pauseMs = RELAXED_PAUSE_MS;
        await replica.startAgain();
        // Fail early: what was refused once is not made good by the restarts that follow.
        if (load.faults.length > 0) break;
      }
    } finally {
      await load.stop();
      close();
    }
    process.stdout.write(`${JSON.stringify([...load.outcomes])}\n`);
    expect({ faults: load.faults, complaints: load.faults.length > 0 ? nginx.complaints : [] }).toEqual({
      faults: [],
      complaints: [],
    });
    const expected = /^(GET|PATCH) 200$|^POST 201$/;
    expect([...load.outcomes.keys()].filter((outcome) => !expected.test(outcome))).toEqual([]);
    expect(load.count(expected)).toBeGreaterThan(80 * RESTARTS);
    expect(await notThereOnce(server, load.accepted)).toEqual([]);
  }, 900_000);
});
