import { WaybillClient } from '../../client/src/waybill.js';

const ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4b';
const OTHER_ID = '0199c3a0-8a10-7d2f-8b64-1a9f6e2d3c4c';
const version = { ifMatch: 'v1' };

type Call = (client: WaybillClient) => Promise<unknown>;

async function whole(stream: Promise<ReadableStream<Uint8Array>>): Promise<string> {
  return new Response(await stream).text();
}
async function all(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

/** Each method of the client that sends requests. Those of all resources have the same names. */
const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  moves: {
    list: ({ moves }) => moves.list().page(),
    export: ({ moves }) => whole(moves.export().file('csv')),
    create: ({ moves }) => moves.create({}),
    get: ({ moves }) => moves.get(ID),
    update: ({ moves }) => moves.update(ID, {}),
    patch: ({ moves }) => moves.patch(ID, {}, version),
    replace: ({ moves }) => moves.replace(ID, {}, version),
    delete: ({ moves }) => moves.delete(ID),
    undelete: ({ moves }) => moves.undelete(ID, 'v1'),
    all: ({ moves }) =>
      all(moves.all({ id: ID, shipments: [], shipmentsNext: '/v1/shipments?cursor=x' } as never, 'shipments')),
    history: ({ moves }) => moves.history(ID).page(),
    mirror: ({ moves }) => moves.mirror(),
  },
  shipments: {
    list: ({ shipments }) => shipments.list().page(),
    export: ({ shipments }) => all(shipments.export()),
    create: ({ shipments }) => shipments.create({ shipmentType: 'HHG' }),
    get: ({ shipments }) => shipments.get(ID, { expand: ['agents'] }),
    update: ({ shipments }) => shipments.update(ID, {}),
    patch: ({ shipments }) => shipments.patch(ID, {}, version),
    replace: ({ shipments }) => shipments.replace(ID, { shipmentType: 'HHG' }, version),
    delete: ({ shipments }) => shipments.delete(ID),
    undelete: ({ shipments }) => shipments.undelete(ID, 'v1'),
    bulk: ({ shipments }) => shipments.bulk([{ op: 'delete', id: ID }]),
    updateMany: ({ shipments }) => shipments.updateMany({ moveID: ID }, {}),
    updateStatusMany: ({ shipments }) => shipments.updateStatusMany({ moveID: ID }, { status: 'APPROVED' }),
    updateStatus: ({ shipments }) => shipments.updateStatus(ID, { status: 'APPROVED' }),
    patchStatus: ({ shipments }) => shipments.patchStatus(ID, { status: 'APPROVED' }, version),
    all: ({ shipments }) => all(shipments.all({ id: ID, agents: [], agentsNext: '/v1/x?cursor=x' } as never, 'agents')),
    history: ({ shipments }) => shipments.history(ID).page(),
    mirror: ({ shipments }) => shipments.mirror(),
  },
  addresses: {
    get: ({ addresses }) => addresses.get({ shipmentID: ID, addressID: ID }),
    update: ({ addresses }) => addresses.update({ shipmentID: ID, addressID: ID }, {} as never),
    replace: ({ addresses }) => addresses.replace({ shipmentID: ID, addressID: ID }, {} as never, version),
  },
  ...Object.fromEntries(
    (['agents', 'services'] as const).map((name): [string, Readonly<Record<string, Call>>] => [
      name,
      {
        list: (client) => client[name].list(ID).page(),
        create: (client) => client[name].create(ID, {} as never),
        get: (client) => client[name].get(ID),
        update: (client) => client[name].update(ID, {}),
        patch: (client) => client[name].patch(ID, {}, version),
        replace: (client) => client[name].replace(ID, {} as never, version),
        delete: (client) => client[name].delete(ID),
        undelete: (client) => client[name].undelete(ID, 'v1'),
      },
    ]),
  ),
  deletions: { list: ({ deletions }) => deletions.list().page() },
  imports: {
    upload: ({ imports }) => imports.upload('shipmentType\nHHG\n'),
    list: ({ imports }) => imports.list().page(),
    get: ({ imports }) => imports.get(ID),
    rows: ({ imports }) => imports.rows(ID).page(),
    apply: ({ imports }) => imports.apply(ID),
    settle: ({ imports }) => imports.settle(ID, 2),
    wait: ({ imports }) => imports.wait(ID),
    result: ({ imports }) => whole(imports.result(ID)),
  },
  events: {
    list: ({ events }) => events.list().page(),
    head: ({ events }) => events.head(),
    follow: ({ events }) => events.follow({ after: 'now' }).next(),
  },
  keys: {
    list: ({ keys }) => keys.list().page(),
    create: ({ keys }) => keys.create({ name: 'x', scopes: ['moves:read'] }),
    get: ({ keys }) => keys.get(ID),
    update: ({ keys }) => keys.update(ID, {}),
    patch: ({ keys }) => keys.patch(ID, {}, version),
    replace: ({ keys }) => keys.replace(ID, { name: 'x', scopes: ['moves:read'] }, version),
    delete: ({ keys }) => keys.delete(ID),
    history: ({ keys }) => keys.history(ID).page(),
    rotateKey: ({ keys }) => keys.rotateKey(ID),
  },
  webhooks: {
    list: ({ webhooks }) => webhooks.list().page(),
    create: ({ webhooks }) => webhooks.create({ url: 'https://partner.example' }),
    get: ({ webhooks }) => webhooks.get(ID),
    update: ({ webhooks }) => webhooks.update(ID, {}),
    patch: ({ webhooks }) => webhooks.patch(ID, {}, version),
    replace: ({ webhooks }) => webhooks.replace(ID, { url: 'https://partner.example' }, version),
    delete: ({ webhooks }) => webhooks.delete(ID),
    history: ({ webhooks }) => webhooks.history(ID).page(),
    rotateSecret: ({ webhooks }) => webhooks.rotateSecret(ID),
    ping: ({ webhooks }) => webhooks.ping(ID),
    deliveries: ({ webhooks }) => webhooks.deliveries(ID).page(),
    delivery: ({ webhooks }) => webhooks.delivery(ID, ID),
    redeliver: ({ webhooks }) => webhooks.redeliver(ID, ID),
    replay: ({ webhooks }) => webhooks.replay(ID, { after: null, until: null }),
  },
  client: { overview: (client) => client.overview() },
};

const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };
const record = { id: OTHER_ID, eTag: 'v2', updatedAt: '2026-01-01T00:00:00.000Z' };
const cut = JSON.stringify({ ...record, id: ID }).slice(0, -3);

/** What something between client and service answers to every request. */
const FAULTS: Readonly<Record<string, () => Response>> = {
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `a redirect with status ${status}`,
      () => new Response('', { status, headers: { Location: 'https://elsewhere.example/v1/shipments' } }),
    ]),
  ),
  'a page with status 200': () => new Response('<h1>Sign in</h1>', { headers: html }),
  'a page that claims to be JSON': () => new Response('<h1>Sign in</h1>', { headers: json }),
  'a page with status 500': () => new Response('<h1>Oops</h1>', { status: 500, headers: html }),
  'status 520': () => new Response('error code: 520', { status: 520, headers: html }),
  'an empty answer with status 200': () => new Response('', { headers: json }),
  'an empty answer with status 201': () => new Response('', { status: 201, headers: json }),
  'a record that is cut': () => new Response(cut, { headers: json }),
  'a list that is cut': () => new Response(`[${cut}`, { headers: json }),
  null: () => new Response('null', { headers: json }),
  'an object of something else': () => Response.json({ status: 'ok' }),
  'a file that is cut': () => new Response('id,eTag\r\n1,2', { headers: { 'Content-Type': 'text/csv' } }),
  'a problem without its members': () =>
    new Response('{}', { status: 412, headers: { 'Content-Type': 'application/problem+json' } }),
};

const ofMethods = (object: object): string[] => {
  const names = new Set<string>();
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
};
/** Methods that only other methods of the client call. */
const INTERNAL = [
  'constructor',
  'pathOf',
  'pathUnder',
  'pathOfDelivery',
  'updateBy',
  'updateManyBy',
  'allOf',
  'childrenOf',
];

function clientOf(answer: (url: string, init: RequestInit) => Response): WaybillClient {
  return new WaybillClient({
    baseUrl: 'http://service',
    retries: 0,
    fetch: (url, init) => Promise.resolve(answer(url, init)),
  });
}

test('the table has each call of the client', () => {
  const client = clientOf(() => Response.json([]));
  const resources = Object.entries(client).filter(([name]) => name !== 'http');
  const methods = resources.map(([name, resource]: [string, Record<string, unknown>]) => {
    const found = ofMethods(resource).filter(
      (each) => typeof resource[each] === 'function' && !INTERNAL.includes(each),
    );
    return [name, found.sort()];
  });
  const { client: _, ...called } = CALLS;
  const table = Object.entries(called).map(([name, calls]) => [name, Object.keys(calls).sort()]);
  expect(table.sort()).toEqual(methods.sort());
});

const ROWS = Object.entries(CALLS).flatMap(([resource, calls]) =>
  Object.entries(calls).map(([name, call]): [string, Call] => [`${resource}.${name}`, call]),
);

describe.each(Object.entries(FAULTS))('%s is no success', (_, fault) => {
  test.each(ROWS)('of %s', async (__, call) => {
    const sent: RequestInit[] = [];
    const client = clientOf((___, init) => {
      sent.push(init);
      return fault();
    });
    await expect(call(client)).rejects.toBeInstanceOf(Error);
    for (const { redirect } of sent) expect(redirect).toBe('manual');
  });
});

test('the record of another id is not the one that was asked for', async () => {
  const client = clientOf(() => Response.json(record));
  for (const name of ['get', 'patch', 'replace', 'update']) {
    for (const resource of ['moves', 'shipments', 'agents', 'services', 'webhooks', 'keys']) {
      await expect(CALLS[resource]?.[name]?.(client)).rejects.toMatchObject({ name: 'NoAnswerError' });
    }
  }
});

test.each([301, 302, 303, 307, 308])('the error of a %i names its target', async (status) => {
  const client = clientOf(() => FAULTS[`a redirect with status ${status}`]?.() ?? new Response());
  await expect(client.shipments.create({ shipmentType: 'HHG' })).rejects.toMatchObject({
    name: 'NoAnswerError',
    status,
    mayBeDone: true,
    message: expect.stringContaining('https://elsewhere.example/v1/shipments') as string,
  });
});

test.each(['', '.', '..'])('the id %j is never taken for a list', async (id) => {
  const sent: string[] = [];
  const client = clientOf((url) => {
    sent.push(url);
    return Response.json([]);
  });
  await expect(client.shipments.get(id)).rejects.toThrow(TypeError);
  await expect(client.shipments.patch(id, {}, version)).rejects.toThrow(TypeError);
  await expect(client.moves.delete(id)).rejects.toThrow(TypeError);
  await expect(client.agents.list(id).page()).rejects.toThrow(TypeError);
  await expect(client.addresses.get({ shipmentID: ID, addressID: id })).rejects.toThrow(TypeError);
  await expect(client.webhooks.delivery(id, ID)).rejects.toThrow(TypeError);
  await expect(client.imports.result(id)).rejects.toThrow(TypeError);
  await expect(client.moves.mirror().then(() => client.moves.history(id).page())).rejects.toThrow();
  expect(sent.every((url) => url.includes('/v1/events'))).toBe(true);
});
