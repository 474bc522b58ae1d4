import { connect } from 'node:net';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Controller, Get, Patch, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { Public } from '../../src/auth/access.js';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.js';
import { Writes } from '../../src/writes/writes.decorator.js';
import { WaybillAdapter } from '../../src/server/waybill-adapter.js';
import { SHIPMENT_WRITES } from '../../src/shipments/shipment.writes.js';
import { stopWorkers } from '../support/records/events.js';
import { untilBlocked, untilNoTransaction } from '../support/database/activity.js';
import { ifMatchAmongTwo, Api } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment } from '../support/records/records.js';
import { rawRequest } from '../support/http/raw-http.js';
import { startService, useService } from '../support/service/service.js';

const POOL_SIZE = 2;

const service = useService({ POOL_SIZE: String(POOL_SIZE) });
const newShipment = () => createShipment(service.api);

test('201 for a shipment whose move drew the code of another: it draws again', async () => {
  const first = await newShipment();
  await service.sql.query(`
    CREATE SEQUENCE draws;
    CREATE FUNCTION take_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('draws') = 1 THEN NEW.move_code := (SELECT move_code FROM moves WHERE id = '${first.moveID}'); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER take_code BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION take_code()`);
  const second = await newShipment();
  await service.sql.query('DROP FUNCTION take_code() CASCADE');
  const { rows } = await service.sql.query(
    `SELECT (SELECT last_value FROM draws)::int AS draws, count(DISTINCT move_code)::int AS codes, count(*)::int AS shipments
     FROM shipments JOIN moves ON moves.id = move_id WHERE shipments.id IN ($1, $2)`,
    [first.id, second.id],
  );
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
  // The service answers a later request, so it has already processed the partial body.
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).status).toBe(200);
  await untilNoTransaction(service.sql);
  socket.destroy();
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
});

test('503 with Retry-After when a row stays locked longer than LOCK_TIMEOUT_MS', async () => {
  const impatient = await startService({ LOCK_TIMEOUT_MS: '100' });
  const shipment = await createShipment(impatient.api);
  await impatient.sql.query('BEGIN');
  await impatient.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipment.id]);
  const { status, headers, body } = await impatient.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {});
  await impatient.sql.query('ROLLBACK');
  expect({ status, code: body.code, retry: headers.get('Retry-After') }).toEqual({
    status: 503,
    code: 'UNAVAILABLE',
    retry: '1',
  });
  expect((await impatient.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {})).status).toBe(200);
  await impatient.stop();
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
  // One connection: the one that was made at the start, before anything of the service was there to listen to it.
  const own = await startService({ POOL_SIZE: '1' });
  const transaction = await own.app.get(Database).begin({ requestID: 'r', caller: { subject: 's' } });
  const ask = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
  const [row] = await transaction.query<{ pid: number }>(ask);
  await own.sql.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid]);
  await expect(transaction.query(ask)).rejects.toThrow();
  await transaction.rollback();
  expect((await own.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
  await own.stop();
});
