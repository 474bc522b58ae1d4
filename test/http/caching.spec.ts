import { useService } from '../support/service/service.js';

const service = useService();

const KEY = { name: 'Carrier North', scopes: ['moves:read'] };
const WEBHOOK = { url: 'https://receiver.depot.internal/', types: ['move.created'] };

test.each([
  ['/v1/keys', KEY, 'rotateKey'],
  ['/v1/webhooks', WEBHOOK, 'rotateSecret'],
])('no cache stores what a write of %s shows only once', async (path, fields, rotate) => {
  const created = await service.api.post(path, fields);
  const rotated = await service.api.send('POST', `${path}/${created.body.id}/${rotate}`);
  const statuses = [created, rotated].map(({ status, headers }) => [status, headers.get('Cache-Control')]);
  expect(statuses).toEqual([
    [201, 'no-store, no-transform'],
    [200, 'no-store, no-transform'],
  ]);
});

test('a cache must revalidate what it has stored of a read', async () => {
  const { body: move } = await service.api.post('/v1/moves', {});
  for (const path of ['/v1/moves', `/v1/moves/${move.id}`]) {
    expect((await service.api.get(path)).headers.get('Cache-Control')).toBe('private, no-cache, no-transform');
  }
});
