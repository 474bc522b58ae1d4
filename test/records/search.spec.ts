import type { Answer, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { startService, useService } from '../support/service/service.js';

const service = useService();

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
  test.each([
    ['shipmentType', (text: string) => ({ shipmentType: text })],
    ['customerRemarks', (text: string) => ({ customerRemarks: `Please, ${text}!` })],
    ...['streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'country'].flatMap((field) =>
      ['pickupAddress', 'destinationAddress'].map(
        (address) =>
          [`${address}.${field}`, (text: string) => ({ [address]: addressWith({ [field]: text }) })] as const,
      ),
    ),
  ] as const)('%s', async (_, fields) => {
    const text = word();
    const { id, moveID } = await createShipment(service.api, fields(text));
    expect(await found(text.slice(0, -1).toUpperCase())).toEqual([id]);
    expect(await foundMoves(text)).toEqual([moveID]);
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

  test.each([
    ['Crème Brûlée', 'creme brul'],
    ['Łódź', 'lodz'],
    ['Straße', 'STRASSE'],
    ['Ærøskøbing', 'aeroskob'],
    ['İstanbul', 'istanbul'],
    ['ﬁne', 'FINE'],
    ['Ｔｏｋｙｏ', 'tokyo'],
    ['東京都港区', '港区'],
    ['ΟΔΟΣ', 'οδός'],
    ['Ёлка', 'елка'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['한국어', '한국'],
  ])('%s as %s', async (written, q) => {
    const mark = word();
    const { id } = await createShipment(service.api, { customerRemarks: `${mark} ${written}` });
    expect(await found(`${mark} ${q}`)).toEqual([id]);
  });
});

describe('follows every change in the transaction of its write', () => {
  test('of the shipment, on another replica at once', async () => {
    const replica = await startService({}, () => service.databaseUrl);
    try {
      for (let turn = 0; turn < repetitions(20, 3); turn += 1) {
        const text = word();
        const { id, eTag } = await createShipment(service.api, { customerRemarks: text });
        const read = async (q: string) => (await replica.api.get<Json[]>(`/v1/shipments?q=${q}`)).body.map((r) => r.id);
        expect(await read(text)).toEqual([id]);
        const next = word();
        await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: next });
        expect([await read(next), await read(text)]).toEqual([[id], []]);
      }
    } finally {
      await replica.stop();
    }
  });

  test('of the move, its agents and its services', async () => {
    const [order, name, code] = [word(), word(), word()];
    const move = await createMove(service.api, { orderID: order });
    const shipment = await createShipment(service.api, { moveID: move.id });
    const agent = await createAgent(service.api, { firstName: name }, shipment);
    const extra = await createService(service.api, { code }, shipment);
    const [order2, name2, code2] = [word(), word(), word()];
    await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { orderID: order2 });
    const named = await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { firstName: name2 });
    await service.api.patch(`/v1/services/${extra.id}`, extra.eTag, { code: code2 });
    expect(await found(`${order2} ${name2} ${code2}`)).toEqual([shipment.id]);
    for (const gone of [order, name, code]) expect(await found(gone)).toEqual([]);
    expect(named.status).toBe(200);
    await service.api.delete(`/v1/agents/${agent.id}`);
    await service.api.delete(`/v1/services/${extra.id}`);
    for (const gone of [name2, code2]) expect(await found(gone)).toEqual([]);
    await service.api.delete(`/v1/shipments/${shipment.id}`);
    expect([await found(order2), await foundMoves(order2)]).toEqual([[], [move.id]]);
    await service.api.delete(`/v1/moves/${move.id}`);
    expect(await foundMoves(order2)).toEqual([]);
  });

  test('without a new version of the shipment', async () => {
    const shipment = await createShipment(service.api);
    const { body: move } = await service.api.get(`/v1/moves/${shipment.moveID}`);
    await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { orderID: word() });
    await createAgent(service.api, {}, shipment);
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  });

  test('when all of them are changed at once', async () => {
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
        await createShipment(service.api, { moveID: move.id, customerRemarks: word() });
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
    // What the triggers would write now is what is there.
    await service.sql.query('CREATE TEMPORARY TABLE kept AS SELECT * FROM search');
    for (const remarks of ['changed', null]) {
      await service.sql.query('UPDATE moves SET remarks = $1 WHERE id = $2', [remarks, move.id]);
    }
    const { rows } = await service.sql.query(
      `SELECT kept.id FROM kept FULL JOIN search USING (id)
       WHERE (kept.own_words || kept.address_words || kept.related_words)
         IS DISTINCT FROM (search.own_words || search.address_words || search.related_words)`,
    );
    await service.sql.query('DROP TABLE kept');
    expect(rows).toEqual([]);
  });
});

describe('as a list', () => {
  test('newest first, page by page', async () => {
    const text = word();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      ids.unshift((await createShipment(service.api, { customerRemarks: text })).id);
      await createShipment(service.api);
    }
    const pages: string[][] = [];
    for (let path = `/v1/shipments?q=${text}&limit=3`; path !== '';) {
      const answer: Answer<Json[]> = await service.api.get(path);
      pages.push(answer.body.map(({ id }) => id));
      path = /<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
    }
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
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
