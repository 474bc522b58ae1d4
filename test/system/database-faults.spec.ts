import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '../support/races/eventually.js';
import { notThereOnce, openTransactions } from '../support/races/exactly-once.js';
import { Load } from '../support/races/load.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { keptConnections } from '../support/http/send.js';
import { TcpProxy } from '../support/http/tcp-proxy.js';

const WRITERS = 4;
const READERS = 2;
/** Only a service that has got stuck takes so long. */
const PATIENCE_MS = 60_000;

let server: PostgresServer;
let proxy: TcpProxy;
let replica: Replica;

beforeAll(async () => {
  server = await PostgresServer.start();
  proxy = await TcpProxy.start(server.port);
  replica = await Replica.start({
    DATABASE_URL: server.url.replace(`:${server.port}/`, `:${proxy.port}/`),
    POOL_SIZE: '5',
    POOL_ACQUIRE_TIMEOUT_MS: '500',
    REQUEST_DEADLINE_MS: '1000',
    STATEMENT_TIMEOUT_MS: '900',
    LOCK_TIMEOUT_MS: '500',
    DRAIN_DELAY_MS: '0',
  });
});
afterAll(async () => {
  const exitCode = await replica.stop();
  await proxy.stop();
  await server.remove();
  expect(exitCode).toBe(0);
});

interface Fault {
  begin(): unknown;
  end(load: Load): unknown;
}

/**
 * Lets a fault come and go under load, and asserts everything that must hold in any of them. The fault lasts until every client
 * was told of it several times, so a service that answers only after it is over never gets that far.
 */
async function endure({ begin, end }: Fault): Promise<Load> {
  const { send, close } = keptConnections(replica.url);
  const load = new Load(send, { writers: WRITERS, readers: READERS, pauseMs: 10 }).start();
  try {
    await eventually(() => load.accepted.length > 20, PATIENCE_MS, 'the load runs');
    await begin();
    const told = load.count(/ 503$/);
    await eventually(() => load.count(/ 503$/) > told + 3 * (WRITERS + READERS), PATIENCE_MS, 'the fault is felt');
    await end(load);
    const before = load.accepted.length;
    await eventually(() => load.accepted.length > before + 10, PATIENCE_MS, 'writes succeed again');
  } catch (error) {
    throw new Error(`${String(error)}; the service said last:\n${replica.lines.slice(-20).join('\n')}`, {
      cause: error,
    });
  } finally {
    await load.stop();
    close();
  }
  expect(load.faults).toEqual([]);
  expect(await notThereOnce(server, load.accepted)).toEqual([]);
  await eventually(async () => (await openTransactions(server)) === 0, PATIENCE_MS, 'no transaction is open');
  expect(replica.isRunning).toBe(true);
  await eventually(() => replica.isReady(), PATIENCE_MS, 'the service is ready again');
  return load;
}

const HEADING =
  '503 with Retry-After in time, every accepted write there once, and recovery by itself, when the database';

test(`${HEADING} is stopped and started`, () => endure({ begin: () => server.stop(), end: () => server.startAgain() }));

test(`${HEADING} is killed`, () => endure({ begin: () => server.kill(), end: () => server.startAgain() }));

test(`${HEADING} is frozen`, () => endure({ begin: () => server.freeze(), end: () => server.thaw() }));

const TERMINATE = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'waybill%'`;

test(`${HEADING} ends all connections again and again`, () => {
  let isOver = false;
  let done: Promise<void> | undefined;
  const repeat = async () => {
    while (!isOver) {
      await server.sql(TERMINATE);
      await sleep(20);
    }
  };
  return endure({
    begin: () => {
      done = repeat();
    },
    end: () => {
      isOver = true;
      return done;
    },
  });
});

test(`${HEADING} is out of connections`, async () => {
  const taken: Client[] = [];
  /** Every one that is free, also those that are left for superusers. */
  const take = async () => {
    for (;;) {
      const client = new Client({ connectionString: server.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        return;
      }
      taken.push(client);
    }
  };
  await endure({
    // While the service is stopped, it cannot take the connections that its own end has made free.
    begin: async () => {
      replica.signal('SIGSTOP');
      await server.sql(TERMINATE);
      await take();
      replica.signal('SIGCONT');
    },
    end: () => Promise.all(taken.map((client) => client.end())),
  });
});

test(`${HEADING} takes no new connections`, () => {
  const allow = (allowed: boolean) =>
    server.sql(`ALTER DATABASE postgres ALLOW_CONNECTIONS ${String(allowed)}`, [], 'template1');
  return endure({
    begin: async () => {
      await allow(false);
      await server.sql(TERMINATE, [], 'template1');
    },
    end: () => allow(true),
  });
});

test(`${HEADING} becomes read-only; reads continue`, () =>
  endure({
    begin: async () => {
      await server.sql('ALTER SYSTEM SET default_transaction_read_only = on');
      await server.sql('SELECT pg_reload_conf()');
    },
    end: async (load) => {
      const reads = load.count(/GET 200/);
      await eventually(() => load.count(/GET 200/) > reads + 20, PATIENCE_MS, 'reads succeed while writes do not');
      await server.sql('ALTER SYSTEM RESET default_transaction_read_only');
      await server.sql('SELECT pg_reload_conf()');
    },
  }));

test(`${HEADING} fails over to a standby that is promoted later`, async () => {
  await endure({
    begin: () => server.restartAsStandby(),
    end: () => server.sql('SELECT pg_promote()'),
  });
});

test(`${HEADING} cannot be reached: the network is cut without a word`, () =>
  endure({ begin: () => proxy.cut(), end: () => proxy.mend() }));

test(`${HEADING} is reached through a network that resets connections`, () => {
  let timer: NodeJS.Timeout;
  return endure({
    begin: () => {
      timer = setInterval(() => proxy.reset(), 25);
    },
    end: () => clearInterval(timer),
  });
});

test(`${HEADING} is reached through a network slower than the deadline`, () =>
  endure({ begin: () => proxy.slow(700), end: () => proxy.slow(0) }));
