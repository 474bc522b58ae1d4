// Not through PgBouncer: it only reads, with statements that other specs send through it.
import type { Json } from '../support/http/api.js';
import { walk } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { allIndexed } from '../support/records/events.js';
import { createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { startService, useService, type TestService } from '../support/service/service.js';

let replica: TestService;
// Before the service that it shares a database with.
afterAll(() => replica.stop());

const service = useService();
beforeAll(async () => {
  replica = await startService({}, () => service.databaseUrl);
});

/** A word that no other test uses. */
let made = 0;
const word = (): string => `word${process.pid}x${++made}y`;

async function found(q: string, query = ''): Promise<string[]> {
  const { status, body } = await service.api.get<Json[]>(`/v1/shipments?q=${encodeURIComponent(q)}${query}`);
  expect(status).toBe(200);
  return body.map(({ id }) => id);
}

async function foundMoves(q: string): Promise<string[]> {
  const { body } = await service.api.get<Json[]>(`/v1/moves?q=${encodeURIComponent(q)}`);
  return body.map(({ id }) => id);
}

const addressWith = (fields: object) => ({ streetAddress1: 'a', city: 'b', state: 'c', postalCode: 'd', ...fields });

describe('a shipment is found by', () => {
  test('every text of its own and of its addresses', async () => {
    const texts: string[] = [];
    const text = () => texts[texts.push(word()) - 1] ?? '';
    const parts = ['streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'country'];
    const address = () => addressWith(Object.fromEntries(parts.map((name) => [name, text()])));
    const addresses = { pickupAddress: address(), destinationAddress: address() };
    const own = { shipmentType: text(), customerRemarks: `Please, ${text()}!` };
    const { id, moveID } = await createShipment(service.api, { ...own, ...addresses });
    for (const each of texts) {
      expect([each, await found(each.slice(0, -1).toUpperCase())]).toEqual([each, [id]]);
      expect([each, await foundMoves(each)]).toEqual([each, [moveID]]);
    }
  });

  test('its postal code, its code, and the code, order and remarks of its move', async () => {
    const [order, remarks] = [word(), word()];
    const move = await createMove(service.api, { orderID: `ORD-${order}`, remarks });
    const postalCode = `Z${process.pid}`;
    const { id, shipmentCode } = await createShipment(service.api, {
      moveID: move.id,
      pickupAddress: addressWith({ postalCode }),
    });
    for (const q of [postalCode, shipmentCode, move.moveCode.toLowerCase(), order, `ORD-${order}`, remarks]) {
      expect([q, await found(q)]).toEqual([q, [id]]);
      expect([q, await foundMoves(q)]).toEqual([q, [move.id]]);
    }
  });

  test('the end of its code, from three characters before the hyphen on, in any case', async () => {
    const { id, shipmentCode, moveID } = await createShipment(service.api);
    const other = await createShipment(service.api, { moveID });
    const code = String(shipmentCode);
    for (const q of [
      code.slice(1),
      code.slice(3),
      code.slice(2).toLowerCase(),
      `${code.slice(3)} ${code.slice(0, 6)}`,
    ]) {
      expect([q, await found(q)]).toEqual([q, [id]]);
      expect([q, await foundMoves(q)]).toEqual([q, [moveID]]);
    }
    expect(await found(`${code.slice(3)} ${String(other.shipmentCode)}`)).toEqual([]);
    for (const q of [code.slice(4), `${code.slice(3, 6)}-03`, `${code.slice(3)}1`, code.slice(3, 6)]) {
      expect([q, (await found(q)).includes(id)]).toEqual([q, false]);
    }
  });

  test('a word that is also the end of a code', async () => {
    const { id, shipmentCode } = await createShipment(service.api);
    const end = String(shipmentCode).slice(3);
    const other = await createShipment(service.api, { customerRemarks: `together with ${end}` });
    expect(await found(end)).toEqual([other.id, id]);
    expect(await found(`${end} together`)).toEqual([other.id]);
  });

  test('name, mail and phone of its agents, and codes of its services', async () => {
    const shipment = await createShipment(service.api);
    const [first, last, mail, code] = [word(), word(), word(), word()];
    const phone = `+49 30 ${process.pid}-${++made}00`;
    await createAgent(service.api, { firstName: first, lastName: last, email: `${mail}@example.com`, phone }, shipment);
    await createService(service.api, { code: code.slice(0, 32) }, shipment);
    for (const q of [first, last, `${mail}@exa`, phone, phone.replace(/\D/g, ''), code, `${last}, ${first}`]) {
      expect([q, await found(q)]).toEqual([q, [shipment.id]]);
      expect([q, await foundMoves(q)]).toEqual([q, [shipment.moveID]]);
    }
  });

  test('all words together, wherever each is', async () => {
    const [order, city, name] = [word(), word(), word()];
    const { id: moveID } = await createMove(service.api, { orderID: order });
    const shipment = await createShipment(service.api, { moveID, pickupAddress: addressWith({ city }) });
    const other = await createShipment(service.api, { moveID });
    await createAgent(service.api, { firstName: name }, shipment);
    expect(await found(`${name} ${order}  ${city}`)).toEqual([shipment.id]);
    expect(await found(order)).toEqual([other.id, shipment.id]);
    expect(await found(`${name} ${word()}`)).toEqual([]);
    expect(await foundMoves(`${name} ${order}`)).toEqual([moveID]);
  });

  test('a move without shipments is found, too', async () => {
    const orderID = word();
    const { id } = await createMove(service.api, { orderID });
    expect(await foundMoves(orderID)).toEqual([id]);
  });
});

/** Keeps the index, or the feed before it, from following changes until the test ends. */
async function hold(lock: string): Promise<void> {
  await service.sql.query('SELECT pg_advisory_lock(hashtext($1))', [lock]);
}

afterEach(() => service.sql.query('SELECT pg_advisory_unlock_all()'));

/** The ids that another replica finds. */
async function foundElsewhere(q: string): Promise<string[]> {
  const { body } = await replica.api.get<Json[]>(`/v1/shipments?q=${q}`);
  return body.map(({ id }) => id);
}

describe.each([
  ['that is indexed', undefined],
  ['that is not indexed yet', 'refresh_words'],
  ['that has no event number yet', 'number_events'],
])('follows every change %s', (_, lock) => {
  beforeEach(() => (lock === undefined ? allIndexed(service.sql) : hold(lock)));

  const reach = async () => {
    if (lock === undefined) await allIndexed(service.sql);
  };

  const isFound = async (q: string, ids: readonly string[]) => {
    await reach();
    expect([q, await found(q)]).toEqual([q, ids]);
  };

  test('of the shipment, on another replica at once', async () => {
    for (let turn = 0; turn < repetitions(20, 3); turn += 1) {
      const [text, next] = [word(), word()];
      const { id, eTag } = await createShipment(service.api, { customerRemarks: text });
      expect(await foundElsewhere(text)).toEqual([id]);
      await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: next });
      expect([await foundElsewhere(next), await foundElsewhere(text)]).toEqual([[id], []]);
    }
  });

  test('of the move, its agents and its services', async () => {
    const [order, name, code] = [word(), word(), word()];
    const move = await createMove(service.api, { orderID: order });
    const shipment = await createShipment(service.api, { moveID: move.id });
    const agent = await createAgent(service.api, { firstName: name }, shipment);
    const extra = await createService(service.api, { code }, shipment);
    await isFound(`${order} ${name} ${code}`, [shipment.id]);
    const [order2, name2, code2] = [word(), word(), word()];
    await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { orderID: order2 });
    await isFound(order2, [shipment.id]);
    const named = await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { firstName: name2 });
    await service.api.patch(`/v1/services/${extra.id}`, extra.eTag, { code: code2 });
    await isFound(`${order2} ${name2} ${code2}`, [shipment.id]);
    for (const gone of [order, name, code]) await isFound(gone, []);
    expect(named.status).toBe(200);
    await service.api.delete(`/v1/agents/${agent.id}`);
    await service.api.delete(`/v1/services/${extra.id}`);
    for (const gone of [name2, code2]) await isFound(gone, []);
    await service.api.delete(`/v1/shipments/${shipment.id}`);
    await isFound(order2, []);
    expect(await foundMoves(order2)).toEqual([move.id]);
    await service.api.delete(`/v1/moves/${move.id}`);
    await reach();
    expect(await foundMoves(order2)).toEqual([]);
  });

  test('of a shipment, in the list of its moves', async () => {
    const [text, next] = [word(), word()];
    const { id, eTag, moveID } = await createShipment(service.api, { customerRemarks: text });
    await reach();
    expect(await foundMoves(text)).toEqual([moveID]);
    await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: next });
    await reach();
    expect([await foundMoves(text), await foundMoves(next)]).toEqual([[], [moveID]]);
    await service.api.delete(`/v1/shipments/${id}`);
    await reach();
    expect(await foundMoves(next)).toEqual([]);
  });
});

describe('changes that the index does not have yet', () => {
  /** The words were indexed before, so a search has to disregard those of the index. */
  test('replace words that it has', async () => {
    const [text, next, other] = [word(), word(), word()];
    const changed = await createShipment(service.api, { customerRemarks: text });
    const deleted = await createShipment(service.api, { customerRemarks: other });
    const unchanged = await createShipment(service.api, { customerRemarks: text });
    await allIndexed(service.sql);
    await hold('refresh_words');
    await service.api.patch(`/v1/shipments/${changed.id}`, changed.eTag, { customerRemarks: next });
    await service.api.delete(`/v1/shipments/${deleted.id}`);
    expect([await found(text), await found(next)]).toEqual([[unchanged.id], [changed.id]]);
    expect([await foundMoves(text), await foundMoves(next)]).toEqual([[unchanged.moveID], [changed.moveID]]);
    expect(await foundMoves(other)).toEqual([]);
    const file = await fetch(`${service.url}/v1/shipments?q=${text}`, { headers: { Accept: 'application/jsonl' } });
    expect((await file.text()).trim().split('\n')).toHaveLength(1);
  });

  test('are found in a gap of the feed', async () => {
    const [text, next] = [word(), word()];
    const { id } = await createShipment(service.api, { customerRemarks: text });
    const writer = await service.connect();
    try {
      await writer.query('BEGIN');
      await writer.query('UPDATE shipments SET customer_remarks = $1 WHERE id = $2', [next, id]);
      // It has a higher position in history, and becomes an event before the other one is visible.
      await createShipment(service.api);
      await allIndexed(service.sql);
      await hold('number_events');
      await writer.query('COMMIT');
      expect([await found(text), await found(next)]).toEqual([[], [id]]);
    } finally {
      await writer.end();
    }
  });

  test('are counted, and not looked at, if they are more than a search can look at', async () => {
    await hold('number_events');
    await service.sql.query(`INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
      SELECT id, 'move', id, 'deleted', 'test', now() FROM generate_series(1, 10001), gen_random_uuid() AS id`);
    const page = await service.api.get(`/v1/shipments?q=${word()}`);
    expect(page.status).toBe(200);
    expect(Number(page.headers.get('Waybill-Search-Behind'))).toBeGreaterThan(10_000);
    expectProblem(await service.api.get(`/v1/shipments?q=x`, { Accept: 'text/csv' }), 503, 'UNAVAILABLE');
    await service.sql.query('SELECT pg_advisory_unlock_all()');
    await allIndexed(service.sql);
    expect(await found(word())).toEqual([]);
  });
});

test('a shipment keeps its version when its move, agents or services change', async () => {
  const shipment = await createShipment(service.api);
  await service.api.patch(`/v1/moves/${shipment.moveID}`, '*', { orderID: word() });
  const agent = await createAgent(service.api, {}, shipment);
  await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { firstName: word() });
  const extra = await createService(service.api, {}, shipment);
  await service.api.delete(`/v1/services/${extra.id}`);
  await allIndexed(service.sql);
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
});

test('the index has the words of all records after many changes at once', async () => {
  const move = await createMove(service.api);
  const shipments = await Promise.all(
    Array.from({ length: 4 }, () => createShipment(service.api, { moveID: move.id })),
  );
  const writers = shipments.flatMap((shipment) => [
    async () => {
      const agent = await createAgent(service.api, { firstName: word() }, shipment);
      await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { lastName: word() });
    },
    async () => {
      await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: word() });
    },
    async () => {
      await createService(service.api, { code: word() }, shipment);
    },
    async () => {
      const { id } = await createShipment(service.api, { moveID: move.id, customerRemarks: word() });
      await service.api.delete(`/v1/shipments/${id}`);
    },
    async () => {
      const items = shipments.map(({ id }) => ({
        op: 'update',
        id,
        ifMatch: '*',
        patch: { customerRemarks: word() },
      }));
      await service.api.post('/v1/shipments/bulk', { atomic: false, items: items.reverse() });
    },
  ]);
  const mover = async () => {
    let { eTag } = move;
    for (let turn = 0; turn < 6; turn += 1) {
      const { body } = await service.api.patch(`/v1/moves/${move.id}`, eTag, { orderID: word() });
      ({ eTag } = body);
    }
  };
  await Promise.all([...writers.map((write) => write()), mover()]);
  await allIndexed(service.sql);
  await expectAllWords();
});

describe('the index', () => {
  test('takes the words of a record from its texts only when these have changed', async () => {
    const text = word();
    const { id, eTag } = await createShipment(service.api, { customerRemarks: text });
    const path = `/v1/shipments/${id}`;
    await allIndexed(service.sql);
    await service.sql.query(`UPDATE search SET words = '' WHERE id = $1`, [id]);
    const { body: heavier } = await service.api.patch(path, eTag, { estimatedWeight: 7 });
    await allIndexed(service.sql);
    expect(await found(text)).toEqual([]);
    await service.api.patch(path, heavier.eTag, { customerRemarks: `${text} again` });
    await allIndexed(service.sql);
    expect(await found(text)).toEqual([id]);
  });

  test('has the words of a text that came back after an erasure refreshed them', async () => {
    const [text, other] = [word(), word()];
    const { id, eTag } = await createShipment(service.api, { customerRemarks: text });
    const path = `/v1/shipments/${id}`;
    await allIndexed(service.sql);
    await hold('number_events');
    const { body: second } = await service.api.patch(path, eTag, { customerRemarks: other });
    await service.sql.query('SELECT refresh_words($1)', [[id]]);
    await service.api.patch(path, second.eTag, { customerRemarks: text });
    await service.sql.query('SELECT pg_advisory_unlock_all()');
    await allIndexed(service.sql);
    expect([await found(text), await found(other)]).toEqual([[id], []]);
  });
});

test('the index can be built anew from the feed', async () => {
  await service.sql.query('BEGIN; TRUNCATE search, search_part; UPDATE search_progress SET number = 0; COMMIT');
  await allIndexed(service.sql);
  await expectAllWords();
});

async function expectAllWords(): Promise<void> {
  const { rows } = await service.sql.query(
    `SELECT id, actual.words, expected.words
     FROM words_of(ARRAY(SELECT id FROM moves)) expected FULL JOIN search actual USING (id, move_id)
     WHERE actual.words IS DISTINCT FROM expected.words`,
  );
  expect(rows).toEqual([]);
}

describe('as a list', () => {
  test('newest first, page by page', async () => {
    const text = word();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.unshift((await createShipment(service.api, { customerRemarks: text })).id);
      await createShipment(service.api);
    }
    const pages = await walk(service.api, `/v1/shipments?q=${text}&limit=3`);
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  test('with each of the other filters', async () => {
    const text = word();
    const fields = { customerRemarks: text, deliveryDate: '2031-05-05', shipmentType: `T${text}` };
    const wanted = await createShipment(service.api, fields);
    const other = await createShipment(service.api, { customerRemarks: text });
    const approved = await service.api.patch(`/prime/v1/shipments/${other.id}/updateStatus`, other.eTag, {
      status: 'APPROVED',
    });
    expect(approved.status).toBe(200);
    for (const query of [
      `&moveID=${wanted.moveID}`,
      '&status=SUBMITTED,REJECTED',
      `&shipmentType=T${text}`,
      '&deliveryDateFrom=2031-05-05',
      '&deliveryDateFrom=2031-01-01&deliveryDateTo=2031-12-31',
    ]) {
      expect([query, await found(text, query)]).toEqual([query, [wanted.id]]);
    }
    expect(await found(text, `&updatedSince=${approved.body.updatedAt}`)).toEqual([other.id]);
    expect(await found(text, '&expand=agents,move&sort=-createdAt')).toEqual([other.id, wanted.id]);
    expect(await found(text, '&deliveryDateTo=2030-01-01')).toEqual([]);
  });

  test('the same in a file', async () => {
    const text = word();
    const { id } = await createShipment(service.api, { customerRemarks: text });
    const { id: later } = await createShipment(service.api, { customerRemarks: text });
    const response = await fetch(`${service.url}/v1/shipments?q=${text}&status=SUBMITTED`, {
      headers: { Accept: 'application/jsonl' },
    });
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([later, id]);
  });

  test.each(['sort=updatedAt', 'sort=deliveryDate', 'sort=createdAt'])('400 with %s', async (sort) => {
    expectProblem(await service.api.get(`/v1/shipments?q=x&${sort}`), 400, 'INVALID_PARAMETER');
  });

  test.each(['q=', 'q=%20', `q=${'x'.repeat(101)}`, 'q=a&q=b', 'q=a%00'])('400 for %s', async (query) => {
    for (const path of ['/v1/shipments', '/v1/moves']) {
      expectProblem(await service.api.get(`${path}?${query}`), 400, 'INVALID_PARAMETER');
    }
  });

  test.each(["'", '\\', '--', "a'b", ':*', '&|!()<->', '%', '📦'])('200 for %s', async (q) => {
    expect((await service.api.get(`/v1/shipments?q=${encodeURIComponent(q)}`)).status).toBe(200);
  });
});
