import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { collectionOf, KINDS, UUID_V7 } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each(KINDS)('a $name', (kind) => {
  const { path, full, readOnly, optional } = kind;

  test('201 with the whole record, where it lives and its version', async () => {
    const created = await service.api.post(await collectionOf(service.api, kind), full);
    expect(created).toMatchObject({ status: 201, body: full });
    const names = [...readOnly, ...Object.keys(full), ...(kind.name === 'shipment' ? ['moveID'] : [])];
    expect(Object.keys(created.body).sort()).toEqual(names.sort());
    expect(created.headers.get('Location')).toBe(`${path}/${created.body.id}`);
    expect(created.headers.get('ETag')).toBe(`"${created.body.eTag}"`);
    expect((await service.api.get(`${path}/${created.body.id}`)).body).toEqual(created.body);
    const { createdAt, updatedAt } = created.body;
    for (const moment of [createdAt, updatedAt]) expect(moment).toMatch(RFC_3339_UTC);
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(60_000);
  });

  test('201 from what is required alone, and what is absent is null', async () => {
    const { body } = await service.api.post(await collectionOf(service.api, kind), kind.body);
    const nulls = Object.keys(full).map((name) => [name, null]);
    expect(body).toMatchObject({ ...Object.fromEntries(nulls), ...kind.body, updatedAt: body.createdAt });
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

  test('200 on PATCH with only the sent field changed', async () => {
    const { updatedAt, eTag, ...before } = await kind.create(service.api);
    const patched = await service.api.patch(`${path}/${before.id}`, eTag, { [optional]: 'changed' });
    expect(patched).toMatchObject({ status: 200, body: { ...before, [optional]: 'changed' } });
    expect(patched.body.updatedAt > updatedAt).toBe(true);
    expect((await service.api.get(`${path}/${before.id}`)).body).toEqual(patched.body);
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

  test.each([
    ['no object', '[]', ' WRONG_TYPE'],
    ['an object with an unknown field', { ...full, colour: { x: 1 } }, '/colour UNKNOWN_FIELD'],
    ['an object with an unknown field to escape', { ...full, 'a/b~c': 1 }, '/a~1b~0c UNKNOWN_FIELD'],
  ])('422 for %s', async (_, body, fault) => {
    const { id, eTag } = await kind.create(service.api);
    const answers = [
      await service.api.post(await collectionOf(service.api, kind), body),
      await service.api.put(`${path}/${id}`, eTag, body),
      await service.api.patch(`${path}/${id}`, eTag, body),
    ];
    for (const answer of answers) expect(expectInvalid(answer)).toEqual([fault]);
  });

  test.each(readOnly.map((field) => [field]))('422 when a new one brings its own %s', async (field) => {
    const answer = await service.api.post(await collectionOf(service.api, kind), { ...full, [field]: null });
    expect(expectInvalid(answer)).toEqual([`/${field} READ_ONLY`]);
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
