import { Agent, createServer, type RequestListener, type Server } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { Controller, Get, HttpCode, Module } from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import express, { type Express } from 'express';
import { Client, Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { cutConnection } from '../../src/database/internals/pg-socket.js';
import { MAX_PREPARED, sendBatch } from '../../src/database/internals/batch.js';
import { initializeOffline, poolOf } from '../../src/database/internals/typeorm-data-source.js';
import type { Statement } from '../../src/database/statement.js';
import { createExpressServer } from '../../src/server/express-server.js';
import { closePort } from '../../src/server/internals/close-port.js';
import { declaredStatusOf } from '../../src/http/internals/nest-metadata.js';
import { Move } from '../../src/model/move.entity.js';
import { routesOf } from '../../src/http/routes.js';
import { exchange } from '../support/http/plain-http.js';
import { sourceFiles } from '../support/repository/source-imports.js';
import { urlOf } from '../support/database/test-database.js';

/** Undocumented behavior of libraries that the service relies on. A test that fails names the library that changed. */

const isFastPath = (path: string) => path.includes('/internals/');
const OPTIONS = { prepared: true, keepsDescriptions: true, settings: {} };

/** The rows of one statement. */
async function send<Row>(statement: Statement, timeoutMs?: number): Promise<readonly Row[]> {
  const { executed, failure } = await sendBatch<Row>(client, [{ statement, values: [] }], OPTIONS, timeoutMs);
  if (failure !== undefined) throw failure;
  return executed[0]?.rows ?? [];
}

let client: PoolClient;
/** The inside of the client. */
let connection: { stream: Socket; parsedStatements: object };

beforeEach(async () => {
  const connected = new Client({ connectionString: urlOf('postgres'), pipeline: true });
  connected.on('error', () => undefined);
  await connected.connect();
  client = connected as unknown as PoolClient;
  ({ connection } = connected as unknown as { connection: typeof connection });
});
afterEach(() => connection.stream.destroy());

describe('pg', () => {
  test('fails what is under way when client.connection.stream is destroyed', async () => {
    expect(connection.stream).toBeInstanceOf(Socket);
    const answer = send({ text: 'SELECT pg_sleep(600)' });
    setImmediate(() => cutConnection(client));
    await expect(answer).rejects.toThrow('Connection terminated');
  });

  test('keeps prepared statements in parsedStatements, and closes the one that is named', async () => {
    for (let at = 0; at < MAX_PREPARED + 10; at += 1) {
      await send({ name: `door_${at}`, text: `SELECT ${at} AS value` });
    }
    const rows = await send<{ count: number; oldest: boolean }>({
      text: `SELECT count(*)::int AS count, bool_or(name = 'door_0') AS oldest FROM pg_prepared_statements`,
    });
    expect(rows).toEqual([{ count: MAX_PREPARED, oldest: false }]);
    expect(Object.keys(connection.parsedStatements)).toHaveLength(MAX_PREPARED);
    expect(await send({ name: 'door_0', text: 'SELECT 0 AS value' })).toEqual([{ value: 0 }]);
  });

  test('has a time limit for a single query', async () => {
    await expect(send({ text: 'SELECT pg_sleep(600)' }, 20)).rejects.toThrow('Query read timeout');
  });
});

test('Node closes the port, and no connection, in the close of net.Server', async () => {
  const server = createServer((_, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = () => exchange(`http://127.0.0.1:${port}/`, { agent });
  await ask();
  const closed = closePort(server);
  expect(await ask()).toMatchObject({ status: 200, body: 'served' });
  agent.destroy();
  await closed;
});

test('TypeORM keeps its pool of pg in driver.master', async () => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url: urlOf('postgres'),
    extra: { max: 3 },
  }).initialize();
  const pool = poolOf(dataSource);
  expect(pool).toBeInstanceOf(Pool);
  expect([pool.options.max, (await pool.query('SELECT 1 AS one')).rows]).toEqual([3, [{ one: 1 }]]);
  await dataSource.destroy();
  expect(pool.ended).toBe(true);
});

test('TypeORM reads its entities in buildMetadatas, without a connection', async () => {
  const dataSource = new DataSource({ type: 'postgres', url: 'postgres://nowhere', entities: [Move] });
  await initializeOffline(dataSource);
  expect(dataSource.getMetadata(Move).tableName).toBe('moves');
  expect(poolOf(dataSource).totalCount).toBe(0);
});

describe('Express', () => {
  /** The prototypes of a request and its response, before Express sees them and after. */
  async function prototypesAt(makeServer: (app: Express) => Server): Promise<{ app: object[]; seen: object[][] }> {
    const seen: object[][] = [];
    const look: RequestListener = (...pair) => seen.push(pair.map((each) => Object.getPrototypeOf(each) as object));
    const app = express().use((request, response) => {
      look(request, response);
      response.end();
    });
    const server = makeServer(app).prependListener('request', look);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    return { app: [app.request, app.response], seen };
  }

  test('gives requests and responses the prototypes app.request and app.response', async () => {
    const { app, seen } = await prototypesAt((each) => createServer(each));
    expect(seen[0]).not.toEqual(app);
    expect(seen[1]?.map((prototype, index) => prototype === app[index])).toEqual([true, true]);
  });

  test('finds these prototypes already there, at every server of an application', async () => {
    const { app, seen } = await prototypesAt((each) => {
      createExpressServer(each);
      return createExpressServer(each);
    });
    for (const pair of seen) expect(pair.map((prototype, index) => prototype === app[index])).toEqual([true, true]);
    expect(seen).toHaveLength(2);
  });
});

@Controller('controller')
class DoorController {
  @Get('route')
  @HttpCode(202)
  read(): string {
    return '';
  }

  noRoute(): string {
    return '';
  }
}

@Module({ controllers: [DoorController] })
class DoorModule {}

@Module({ imports: [DoorModule, RouterModule.register([{ path: 'module', module: DoorModule }])] })
class RootModule {}

test('Nest leaves paths, methods and statuses in its metadata', async () => {
  const app = await NestFactory.createApplicationContext(RootModule, { logger: false });
  const routes = routesOf(app);
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /module/controller/route']);
  expect(routes.map(({ handler }) => declaredStatusOf(handler))).toEqual([202]);
  await app.close();
});

/** Internals that only the fast paths may use. */
const PRIVATE = [
  /@nestjs\/\w+\/internal/,
  /\brouter\.stack\b/,
  /\bsetPrototypeOf\b/,
  /\bdriver\b.*\bmaster\b/,
  /\bbuildMetadatas\b/,
  /\bconnection\b.*\bstream\b/,
  /\b(parsedStatements|submittedNamedStatements)\b/,
  /\bhandle(RowDescription|DataRow)\b/,
  /\bas unknown as (\{|Inside)/,
  /\.socket as\b/,
  /\.prototype\.close\b/,
  /\bextends PgInstrumentation\b/,
];

function doorsOutside(files: readonly { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    PRIVATE.filter((pattern) => !isFastPath(path) && pattern.test(text)).map((pattern) => `${path}: ${pattern.source}`),
  );
}

test('no file outside of the fast paths reaches into a library', () => {
  expect(doorsOutside(sourceFiles('src'))).toEqual([]);
});

test('the check finds one that does', () => {
  const text = sourceFiles('src').find(({ path }) => path.endsWith('pg-socket.ts'))?.text ?? '';
  expect(doorsOutside([{ path: 'src/database/database.ts', text }])).not.toEqual([]);
});
