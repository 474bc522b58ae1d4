import { queryTypeOf } from '../../src/http/query.guard.js';
import { routesOf } from '../../src/http/routes.js';
import { ApiDocument } from '../../src/openapi/api-document.js';
import { validationGaps } from '../../src/problem/database-problem.js';
import { fieldsOf, readTexts } from '../../src/validation/fields-of.js';
import { schemaOfProperty } from '../../src/validation/json-schema.decorator.js';
import type { Answer, Json } from '../support/http/api.js';
import { edgeValues } from '../support/records/edge-values.js';
import { csvOf, imported } from '../support/records/imports.js';
import { ADDRESS, CHILDREN, createShipment, KINDS } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** About four of many values; few are all tried. */
function tried<T>(values: readonly T[], place: number): readonly T[] {
  return values.length < 6 ? values : shareOf(values, place, Math.ceil(values.length / 4));
}

/** PostgreSQL must accept every value that validation accepts, and must not be the first to find an error. */
function expectChecked(about: string, { status, body }: Answer<Json>, statuses: readonly number[]): void {
  const found = { about, status: statuses.includes(status) ? 'expected' : status, gaps: [...validationGaps] };
  expect(found).toEqual({ about, status: 'expected', gaps: [] });
  if (status === 422) expect([about, body.code, body.errors]).toEqual([about, 'VALIDATION_FAILED', expect.anything()]);
}

async function idsByParameter(): Promise<Record<string, string>> {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const ids: Record<string, string> = {
    moveID: shipment.moveID,
    shipmentID: shipment.id,
    addressID: shipment.pickupAddress.id,
    importID: (await imported(service.api, csvOf(['shipmentType'], [['HHG']]))).id,
  };
  for (const kind of CHILDREN) ids[`${kind.name}ID`] = (await kind.create(service.api, {}, shipment)).id;
  const { body: webhook } = await service.api.post('/v1/webhooks', { url: 'https://partner.example/hook' });
  const { body: delivery } = await service.api.send('POST', `/v1/webhooks/${webhook.id}/ping`);
  const { body: key } = await service.api.post('/v1/keys', { name: 'x', scopes: ['moves:read'] });
  return { ...ids, webhookID: webhook.id, deliveryID: delivery.id, keyID: key.id };
}

/** The order that a cursor was made for, when it is not the usual one. */
function sortOf(cursor: string): string {
  const [, sort] = /^(updatedAt|deliveryDate) /.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return sort === undefined ? '' : `&sort=${sort}`;
}

/** The ends of a range can be too far apart, and events can be gone. */
const MORE_STATUSES: Readonly<Record<string, readonly number[]>> = { after: [410], from: [400], to: [400] };

test('every value of a query parameter that is admitted reaches PostgreSQL, and PostgreSQL takes it', async () => {
  const ids = await idsByParameter();
  // The stream has no end, and takes no parameter that the page of events does not take.
  const reads = routesOf(service.app).filter(
    ({ method, path }) => method === 'GET' && path.includes('/v1/') && !path.endsWith('/stream'),
  );
  for (const [place, { path: pattern, handler }] of reads.entries()) {
    const path = pattern.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
    const type = queryTypeOf(handler);
    for (const { name } of fieldsOf(type)) {
      const isGood = (value: string) => readTexts(type, { [name]: value }).broken.length === 0;
      const values = edgeValues(schemaOfProperty(type, name)).map(String);
      const good = values.filter(isGood);
      const bad = values.filter((value) => !isGood(value));
      expect([path, name, good.length > 0]).toEqual([path, name, true]);
      for (const value of [...tried(good, place), ...tried(bad, place)]) {
        const query = `?${name}=${encodeURIComponent(value)}${isGood(value) && name === 'cursor' ? sortOf(value) : ''}`;
        expectChecked(
          path + query,
          await service.api.get(path + query, name === 'excel' ? { Accept: 'text/csv' } : {}),
          isGood(value) ? [200, 404, ...(MORE_STATUSES[name] ?? [])] : [400],
        );
      }
    }
  }
});

/** The schemas of a body's fields, those of its parts with a slash. */
function writableFields(document: Json, schema: Json, prefix = ''): [field: string, schema: Json][] {
  const resolved = schema.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name], document)
    : schema;
  return Object.entries<Json>(resolved.properties ?? {}).flatMap(([name, field]) => {
    const part = [field, ...(field.anyOf ?? [])].find(({ $ref }) => $ref !== undefined);
    return part ? writableFields(document, part, `${prefix}${name}/`) : [[prefix + name, field] as [string, Json]];
  });
}

function bodyWith(field: string, value: unknown): object {
  const [name = '', inner] = field.split('/');
  return { [name]: inner === undefined ? value : { ...ADDRESS, [inner]: value } };
}

const valueIn = (record: Json, field: string) => field.split('/').reduce((at: Json, name) => at?.[name], record);

test.each(KINDS)('every value of a field of a $name that is admitted is stored as it is', async (kind) => {
  const { document } = service.app.get<{ document: Json }>(ApiDocument);
  const { schema } = document.paths[`${kind.path}/{${kind.name}ID}`].patch.requestBody.content['application/json'];
  const writable = writableFields(document, schema).filter(([field]) => {
    return Object.hasOwn(kind.full, field.split('/')[0] ?? '') && !/\/(id|eTag)$/.test(field);
  });
  expect(writable.length).toBeGreaterThanOrEqual(Object.keys(kind.full).length);
  for (const [place, [field, described]] of writable.entries()) {
    const { id } = await kind.create(service.api);
    let stored = 0;
    for (const value of tried(edgeValues(described), place)) {
      const answer = await service.api.patch(`${kind.path}/${id}`, '*', bodyWith(field, value));
      expectChecked(`${field} ${JSON.stringify(value).slice(0, 60)}`, answer, [200, 422]);
      if (answer.status !== 200) continue;
      stored += 1;
      expect([field, valueIn(answer.body, field)]).toEqual([field, value]);
    }
    expect([field, stored > 0]).toEqual([field, true]);
  }
});

test('every reason of a rejection that is admitted is stored as it is', async () => {
  const values = edgeValues({ type: 'string', maxLength: 2000 });
  for (const rejectionReason of tried(values, 0)) {
    const { id } = await createShipment(service.api);
    const path = `/prime/v1/shipments/${id}/updateStatus`;
    const answer = await service.api.patch(path, '*', { status: 'REJECTED', rejectionReason });
    expectChecked(`rejectionReason ${JSON.stringify(rejectionReason).slice(0, 60)}`, answer, [200, 422]);
    if (answer.status === 200) expect(answer.body.rejectionReason).toBe(rejectionReason);
  }
});
