import { connect } from 'node:net';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Controller, Get, Patch, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { Public } from '../../src/auth/access.js';
import { readConfig } from '../../src/config/config.js';
import { Database } from '../../src/database/database.js';
import { Writes } from '../../src/writes/writes.decorator.js';
import { WaybillAdapter } from '../../src/server/waybill-adapter.js';
import { SHIPMENT_WRITES } from '../../src/shipments/shipment.writes.js';
import { stopWorkers } from '../support/records/events.js';
import { untilBlocked, untilNoTransaction } from '../support/database/activity.js';
import { ifMatchAmongTwo, Api, type Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { rawRequest } from '../support/http/raw-http.js';
import { startService, type TestService } from '../support/service/service.js';

let service: TestService;

const POOL_SIZE = 2;

beforeEach(async () => {
  service = await startService({ POOL_SIZE: String(POOL_SIZE) });
});
afterEach(() => service.stop());

async function newShipment(): Promise<Json> {
  return (await service.api.post('/v1/shipments', { shipmentType: 'HHG' })).body;
}

test('nothing is left behind by a write that fails after its UPDATE', async () => {
  const shipment = await newShipment();
  await service.sql.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no commit today'; END $$;
    CREATE CONSTRAINT TRIGGER fails AFTER UPDATE ON shipments DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fail()`);
  const { status, body } = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {
    shipmentType: 'X',
  });
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'INTERNAL' });
  expect(JSON.stringify(body)).not.toContain('no commit today');
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  await untilNoTransaction(service.sql);
});

test('no move is left behind by a shipment that could not be created with it', async () => {
  await service.sql.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no shipment today'; END $$;
    CREATE TRIGGER fails BEFORE INSERT ON shipments FOR EACH ROW EXECUTE FUNCTION fail()`);
  expect((await service.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(500);
  expect((await service.sql.query('SELECT FROM moves')).rowCount).toBe(0);
});

test('201 for a shipment whose move drew the code of another: it draws again', async () => {
  await newShipment();
  await service.sql.query(`
    CREATE SEQUENCE draws;
    CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('draws') = 1 THEN NEW.move_code := (SELECT move_code FROM moves LIMIT 1); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER taken BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION taken()`);
  expect((await service.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
  const { rows } = await service.sql.query(`
    SELECT (SELECT last_value FROM draws)::int AS draws, count(DISTINCT move_code)::int AS codes, count(*)::int AS shipments
    FROM shipments JOIN moves ON moves.id = move_id`);
  expect(rows).toEqual([{ draws: 2, codes: 2, shipments: 2 }]);
});

test('no transaction stays open when clients hang up while they wait for a lock', async () => {
  const shipment = await newShipment();
  await service.sql.query('BEGIN');
  await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipment.id]);
  const body = JSON.stringify({ shipmentType: 'X' });
  const headers = [
    ['If-Match', ifMatchAmongTwo(shipment.eTag)['If-Match']],
    ['Content-Type', 'application/json'],
  ] as const;
  const sockets = Array.from({ length: 5 }, () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(rawRequest('PATCH', `/v1/shipments/${shipment.id}`, headers, body));
    return socket;
  });
  // As many of them as there are connections wait for the lock, the others for a connection.
  await untilBlocked(service.sql, POOL_SIZE);
  for (const socket of sockets) socket.destroy();
  await service.sql.query('COMMIT');
  await untilNoTransaction(service.sql);
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).status).toBe(200);
});

test('no transaction is opened for a client that hangs up in the middle of its body', async () => {
  const shipment = await newShipment();
  const socket = connect(service.port, '127.0.0.1');
  const request = rawRequest('PATCH', `/v1/shipments/${shipment.id}`, [
    ['If-Match', shipment.eTag],
    ['Content-Type', 'application/json'],
    ['Content-Length', '100'],
  ]);
  const sent = Buffer.concat([request, Buffer.from('{"shipmentType":')]);
  const arrived = once(service.app.getHttpServer(), 'request') as Promise<[IncomingMessage]>;
  socket.write(sent);
  const [incoming] = await arrived;
  await eventually(() => incoming.socket.bytesRead === sent.length, 20_000, 'all that was sent has arrived');
  // What is asked afterwards is answered, so the service has done what it does with the part of a body.
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).status).toBe(200);
  await untilNoTransaction(service.sql);
  socket.destroy();
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
});

test('503 with Retry-After when a row stays locked longer than LOCK_TIMEOUT_MS', async () => {
  await service.stop();
  service = await startService({ LOCK_TIMEOUT_MS: '100' });
  const shipment = await newShipment();
  await service.sql.query('BEGIN');
  await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipment.id]);
  const { status, headers, body } = await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {});
  await service.sql.query('ROLLBACK');
  expect({ status, code: body.code, retry: headers.get('Retry-After') }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    retry: '1',
  });
  expect((await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {})).status).toBe(200);
});

class Refuse implements CanActivate {
  canActivate(): boolean {
    throw new Error('refused by a later guard');
  }
}

@Controller('odd')
class OddController {
  @Patch(':shipmentID')
  @UseGuards(Refuse)
  @Writes(SHIPMENT_WRITES.update)
  refused(): void {
    throw new Error('The guard lets nobody through');
  }

  @Post()
  @Writes(SHIPMENT_WRITES.create)
  fails(): never {
    throw new Error('the handler fails');
  }

  @Get()
  @Public()
  nothing(): object {
    return {};
  }
}

test('no connection stays busy when a later guard or the handler refuses', async () => {
  const shipment = await newShipment();
  const module = await Test.createTestingModule({
    imports: [AppModule.forRoot(readConfig({}), service.app.get(Database))],
    controllers: [OddController],
  }).compile();
  const odd = module.createNestApplication(new WaybillAdapter({ bodyLimit: 1000 }), {
    bodyParser: false,
    logger: false,
  });
  await odd.listen(0, '127.0.0.1');
  const api = new Api(await odd.getUrl());
  // More often than the pool has connections: a leak would make the last ones wait for ever.
  for (let turn = 0; turn < 6; turn += 1) {
    expect((await api.patch(`/odd/${shipment.id}`, shipment.eTag, {})).status).toBe(500);
    expect((await api.post('/odd', {})).status).toBe(500);
  }
  await untilNoTransaction(service.sql);
  await odd.getHttpServer().close();
  await stopWorkers(odd);
});

test('a connection that is ended between two statements of its transaction fails that transaction and nothing else', async () => {
  await service.stop();
  // One connection: the one that was made at the start, before anything of the service was there to listen to it.
  service = await startService({ POOL_SIZE: '1' });
  const transaction = await service.app.get(Database).begin({ requestID: 'r', caller: { subject: 's' } });
  const ask = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
  const [row] = await transaction.query<{ pid: number }>(ask);
  await service.sql.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid]);
  await expect(transaction.query(ask)).rejects.toThrow();
  await transaction.rollback();
  expect((await service.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
});
