import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { collectionOf, KINDS, UNKNOWN_ID, UUID_V7 } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each(KINDS)('a $name', (kind) => {
  const { path, full, readOnly, optional } = kind;

  test('201 with the whole record, where it lives and its version', async () => {
    const created = await service.api.post(await collectionOf(service.api, kind), full);
    expect(created).toMatchObject({ status: 201, body: full });
    expect(Object.keys(created.body)).toEqual(expect.arrayContaining([...readOnly, ...Object.keys(full)]));
    expect(created.headers.get('Location')).toBe(`${path}/${created.body.id}`);
    expect(created.headers.get('ETag')).toBe(`"${created.body.eTag}"`);
    expect((await service.api.get(`${path}/${created.body.id}`)).body).toEqual(created.body);
  });

  test('201 with a new instance for each call, each with an id of its own', async () => {
    const collection = await collectionOf(service.api, kind);
    const others = full['agentType'] === undefined ? full : { ...full, agentType: 'RELEASING_AGENT' };
    const ids = [await service.api.post(collection, full), await service.api.post(collection, others)].map(
      ({ body }) => body.id,
    );
    expect(ids).toEqual([expect.stringMatching(UUID_V7), expect.stringMatching(UUID_V7)]);
    expect(ids[0] < ids[1]).toBe(true);
  });

  test('its timestamps are RFC 3339 in UTC', async () => {
    const { createdAt, updatedAt } = await kind.create(service.api);
    expect([createdAt, updatedAt]).toEqual([expect.stringMatching(RFC_3339_UTC), expect.stringMatching(RFC_3339_UTC)]);
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000);
  });

  test('200 on PATCH with only the sent field changed', async () => {
    const { updatedAt, eTag, ...before } = await kind.create(service.api);
    const patched = await service.api.patch(`${path}/${before.id}`, eTag, { [optional]: 'changed' });
    expect(patched).toMatchObject({ status: 200, body: { ...before, [optional]: 'changed' } });
    expect(patched.body.updatedAt > updatedAt).toBe(true);
    expect((await service.api.get(`${path}/${before.id}`)).body).toEqual(patched.body);
  });

  test('200 on PUT with the complete record replaced', async () => {
    const before = await kind.create(service.api);
    const replaced = await service.api.put(`${path}/${before.id}`, before.eTag, full);
    expect(replaced).toMatchObject({ status: 200, body: { id: before.id, createdAt: before.createdAt, ...full } });
    expect((await service.api.get(`${path}/${before.id}`)).body).toEqual(replaced.body);
  });

  test('204 without a body on DELETE, and 404 from then on', async () => {
    const { id } = await kind.create(service.api);
    const deleted = await service.api.delete(`${path}/${id}`);
    expect(deleted.status).toBe(204);
    expect(deleted.body).toBeUndefined();
    expect(deleted.headers.get('Content-Type')).toBeNull();
    expectProblem(await service.api.get(`${path}/${id}`), 404, 'NOT_FOUND');
    expectProblem(await service.api.delete(`${path}/${id}`), 404, 'NOT_FOUND');
  });

  test('412 on DELETE with another eTag, 204 with the current one', async () => {
    const { id, eTag } = await kind.create(service.api);
    const refused = await service.api.delete(`${path}/${id}`, { 'If-Match': '0'.repeat(64) });
    expect(expectProblem(refused, 412, 'PRECONDITION_FAILED').currentETag).toBe(eTag);
    expect((await service.api.get(`${path}/${id}`)).body.eTag).toBe(eTag);
    expect((await service.api.delete(`${path}/${id}`, { 'If-Match': eTag })).status).toBe(204);
  });

  test.each(['GET', 'PATCH', 'PUT', 'DELETE'])(
    '404 on %s of an id that nobody has, or that is no id',
    async (method) => {
      const body = ['PATCH', 'PUT'].includes(method) ? full : undefined;
      for (const id of [UNKNOWN_ID, 'nonsense', '1', '%00', `${UNKNOWN_ID}0`, "'--"]) {
        const answer = await service.api.send(method, `${path}/${id}`, body, { 'If-Match': '*' });
        expectProblem(answer, 404, 'NOT_FOUND');
      }
    },
  );

  test.each(['colour', '__proto', 'hasOwnProperty', 'toString', 'a/b~c'])(
    '422 naming the unknown field %s',
    async (field) => {
      const body = JSON.stringify(full).replace('{', `{${JSON.stringify(field)}: {"x": 1}, `);
      const pointer = field.replace('~', '~0').replace('/', '~1');
      const { id, eTag } = await kind.create(service.api);
      const answers = [
        await service.api.post(await collectionOf(service.api, kind), body),
        await service.api.put(`${path}/${id}`, eTag, body),
        await service.api.patch(`${path}/${id}`, eTag, body),
      ];
      for (const answer of answers) expect(expectInvalid(answer)).toEqual([`/${pointer} UNKNOWN_FIELD`]);
    },
  );

  test.each(readOnly.map((field) => [field]))('422 when a new one brings its own %s', async (field) => {
    const answer = await service.api.post(await collectionOf(service.api, kind), { ...full, [field]: null });
    expect(expectInvalid(answer)).toEqual([`/${field} READ_ONLY`]);
  });

  test.each(['[]', 'null', '"text"', '7', 'true'])('422 when the body is %s and no object', async (body) => {
    const { id, eTag } = await kind.create(service.api);
    const answers = [
      await service.api.post(await collectionOf(service.api, kind), body),
      await service.api.put(`${path}/${id}`, eTag, body),
      await service.api.patch(`${path}/${id}`, eTag, body),
    ];
    for (const answer of answers) expect(expectInvalid(answer)).toContain(' WRONG_TYPE');
  });
});

test.each(KINDS.filter(({ required }) => required.length > 0))(
  '422 naming every required field that a new $name or its replacement lacks',
  async (kind) => {
    const body = Object.fromEntries(Object.entries(kind.full).filter(([name]) => !kind.required.includes(name)));
    const { id, eTag } = await kind.create(service.api);
    const faults = kind.required.map((name) => `/${name} REQUIRED`);
    expect(expectInvalid(await service.api.post(await collectionOf(service.api, kind), body))).toEqual(faults);
    expect(expectInvalid(await service.api.put(`${kind.path}/${id}`, eTag, body))).toEqual(faults);
  },
);
