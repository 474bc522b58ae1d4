// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { Controller, Inject, Patch, Post, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/transaction.js';
import { InTransaction, LockedRow, Writes } from '../../src/writes/writes.decorator.js';
import { Responder } from '../../src/writes/responder.js';
import { WaybillAdapter } from '../../src/server/waybill-adapter.js';
import { MOVES } from '../../src/model/move.entity.js';
import { Problem } from '../../src/problem/problem.js';
import type { PendingWrite } from '../../src/records/pending-write.js';
import { Records, type Locked } from '../../src/records/records.js';
import { AGENTS } from '../../src/model/agent.entity.js';
import { SHIPMENTS, type Shipment } from '../../src/model/shipment.entity.js';
import { SHIPMENT_WRITES } from '../../src/shipments/shipment.writes.js';
import { Api, type Json } from '../support/http/api.js';
import { stopWorkers } from '../support/records/events.js';
import { untilNoTransaction } from '../support/database/activity.js';
import { createShipment } from '../support/records/records.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { Stored } from '../support/races/write-witness.js';

const AGENT = { agentType: 'RELEASING_AGENT', firstName: 'Ann', phone: '1' };

/** Handlers as somebody might write them: they throw after they have prepared a change, or change several records. */
@Controller('odd/:shipmentID')
class OddController {
  constructor(@Inject(Records) private readonly records: Records) {}

  @Patch('fails')
  @Writes(SHIPMENT_WRITES.update)
  fails(@LockedRow() shipment: Locked<Shipment>): PendingWrite {
    shipment.update({ actualWeight: 7 });
    throw new Error('the service fails');
  }

  @Patch('refuses')
  @Writes(SHIPMENT_WRITES.update)
  async refuses(
    @LockedRow() shipment: Locked<Shipment>,
    @InTransaction() transaction: Transaction,
  ): Promise<PendingWrite> {
    shipment.update({ actualWeight: 7 });
    await transaction.query({ text: 'SELECT 1' });
    throw new Problem('IN_USE', 'The service refuses.');
  }

  @Post('refuses')
  @Writes({ creates: true, parent: SHIPMENTS, scope: 'shipments:write' })
  refusesToCreate(): PendingWrite {
    this.records.create(MOVES, { moveCode: 'REFUSE' });
    throw new Problem('DUPLICATE', 'The service refuses.');
  }

  @Patch('both')
  @Writes(SHIPMENT_WRITES.update)
  async both(
    @LockedRow() shipment: Locked<Shipment>,
    @InTransaction() transaction: Transaction,
  ): Promise<PendingWrite[]> {
    const move = await this.records.lock(transaction, MOVES, shipment.row.moveID);
    return [move.update({ orderID: 'BOTH' }), shipment.update({ actualWeight: 7 })];
  }

  @Patch('twice')
  @Writes(SHIPMENT_WRITES.update)
  twice(@LockedRow() shipment: Locked<Shipment>): PendingWrite[] {
    return [shipment.update({ actualWeight: 7 }), shipment.update({ actualWeight: 8 })];
  }

  @Patch('duplicates')
  @Writes(SHIPMENT_WRITES.update)
  duplicates(@LockedRow() shipment: Locked<Shipment>): PendingWrite[] {
    const agent = () => this.records.create(AGENTS, { ...AGENT, shipmentID: shipment.row.id });
    const refusals = { agents_shipment_id_agent_type_key: () => new Problem('DUPLICATE', 'The shipment has one.') };
    return [shipment.update({ actualWeight: 7 }), agent(), agent().rejectedWith(refusals)];
  }
}

let odd: INestApplication;
let api: Api;

// Before the service that it shares a database with.
afterAll(async () => {
  await stopWorkers(odd);
  await new Promise((resolve) => (odd.getHttpServer() as { close(then: unknown): void }).close(resolve));
});

const { proxy, service } = useProxiedService();

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [AppModule.forRoot(readConfig({}), service.app.get(Database))],
    controllers: [OddController],
  }).compile();
  const adapter = new WaybillAdapter({ bodyLimit: 1000 });
  odd = module.createNestApplication(adapter, { bodyParser: false, logger: false });
  adapter.replyWith((...handled) => odd.get(Responder).reply(...handled));
  await odd.listen(0, '127.0.0.1');
  api = Api.beyondTheDocument(await odd.getUrl());
});

describe.each([
  ['without a key', () => ({})],
  ['with an Idempotency-Key', () => ({ 'Idempotency-Key': randomUUID() })],
])('%s', (_, newKey: () => Record<string, string>) => {
  let shipment: Json;
  let before: Stored;
  const requestID = () => ({ 'X-Request-ID': randomUUID() });

  beforeEach(async () => {
    shipment = await createShipment(service.api);
    before = await Stored.read(service.sql);
  });

  test.each([
    ['500', 'PATCH', 'fails', 500, 'INTERNAL'],
    ['409', 'PATCH', 'refuses', 409, 'IN_USE'],
    ['409', 'POST', 'refuses', 409, 'DUPLICATE'],
    ['409', 'PATCH', 'duplicates', 409, 'DUPLICATE'],
    ['503', 'PATCH', 'twice', 503, 'UNAVAILABLE'],
  ])('%s and nothing written by a %s whose handler %s', async (__, method, name, status, code) => {
    const headers = { ...newKey(), ...requestID() };
    const path = `/odd/${shipment.id}/${name}`;
    // Twice: a refused request is not kept under its key, and leaves the only connection usable.
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await (method === 'PATCH'
        ? api.patch(path, shipment.eTag, {}, headers)
        : api.post(path, {}, headers));
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      const outcome = { accepted: false, requestID: headers['X-Request-ID'], eTag: undefined };
      expect(await before.faultNow(service.sql, outcome)).toBeUndefined();
    }
    await untilNoTransaction(service.sql);
  });

  test('one transaction changes two records, and the last one is answered', async () => {
    const headers = { ...newKey(), ...requestID() };
    const { status, body } = await api.patch(`/odd/${shipment.id}/both`, shipment.eTag, {}, headers);
    expect([status, body.id, body.actualWeight]).toEqual([200, shipment.id, 7]);
    const outcome = { accepted: true, requestID: headers['X-Request-ID'], eTag: body.eTag as string };
    expect(await before.faultNow(service.sql, outcome)).toBeUndefined();
    const { rows } = await service.sql.query(
      `SELECT array_agg(record_kind ORDER BY position) AS kinds, count(DISTINCT transaction_id)::int AS transactions
       FROM history WHERE request_id = $1`,
      [headers['X-Request-ID']],
    );
    expect(rows).toEqual([{ kinds: ['move', 'shipment'], transactions: 1 }]);
  });

  test('503 and nothing written when one of two changes does not find its version', async () => {
    await service.sql.query(`
      CREATE FUNCTION pass_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER a_pass_over BEFORE UPDATE ON moves FOR EACH ROW EXECUTE FUNCTION pass_over()`);
    const headers = { ...newKey(), ...requestID() };
    const { status, body } = await api.patch(`/odd/${shipment.id}/both`, shipment.eTag, {}, headers);
    await service.sql.query('DROP FUNCTION pass_over CASCADE');
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    const outcome = { accepted: false, requestID: headers['X-Request-ID'], eTag: undefined };
    expect(await before.faultNow(service.sql, outcome)).toBeUndefined();
  });

  test('the lock, the changes and COMMIT are one round trip each', async () => {
    const headers = newKey();
    const keyed = 'Idempotency-Key' in headers;
    await api.patch(`/odd/${shipment.id}/both`, shipment.eTag, {}, headers);
    const other = await createShipment(service.api);
    const start = proxy.roundTrips;
    await api.patch(`/odd/${other.id}/both`, other.eTag, {}, newKey());
    // BEGIN with the first of: the claim of the key and the search for its answer, two locks, the changes, COMMIT.
    expect(proxy.roundTrips - start).toBe(keyed ? 6 : 4);
  });
});
