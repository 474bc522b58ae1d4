// Not through PgBouncer: it only reads, with statements that other specs send through it.
import { queryTypeOf } from '../../src/http/query.guard.js';
import { cursorOf } from '../../src/records/paging.js';
import { routesOf, type Route } from '../../src/http/routes.js';
import { fieldsOf } from '../../src/validation/fields-of.js';
import type { Json } from '../support/http/api.js';
import { csvOf, imported } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, CHILDREN, createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** Something that has an id, and the version it has or had. */
interface Named {
  readonly kind: string;
  readonly id: string;
  readonly eTag: string;
}

/** Stands in every record, and so must stand in no answer about a record of another kind. */
const MARK = 'visible-only-under-its-own-path';

async function oneOfEachKind(): Promise<Named[]> {
  const { api } = service;
  const move = await createMove(api, { remarks: MARK });
  const pickupAddress = { ...ADDRESS, streetAddress1: MARK };
  const shipment = await createShipment(api, { moveID: move.id, customerRemarks: MARK, pickupAddress });
  const children = await Promise.all(
    CHILDREN.map(async ({ name, create, optional }) => ({
      kind: name,
      ...(await create(api, { [optional]: MARK }, shipment)),
    })),
  );
  const { body: webhook } = await api.post('/v1/webhooks', { url: 'https://partner.example/', description: MARK });
  const { body: delivery } = await api.send('POST', `/v1/webhooks/${webhook.id}/ping`);
  const { body: key } = await api.post('/v1/keys', { name: MARK, scopes: ['moves:read'] });
  return [
    { kind: 'key', ...key },
    { kind: 'webhook', ...webhook },
    { kind: 'delivery', id: delivery.id, eTag: webhook.eTag },
    { kind: 'move', ...move },
    { kind: 'move', id: move.moveCode, eTag: move.eTag },
    { kind: 'shipment', ...shipment },
    ...(children as unknown as Named[]),
    { kind: 'address', ...shipment.pickupAddress },
    { kind: 'import', ...(await imported(api, csvOf(['shipmentType', 'customerRemarks'], [['HHG', MARK]]))) },
  ];
}

/** Everything that was there once, and is gone. */
async function oneOfEachKindDeleted(): Promise<Named[]> {
  const made = await oneOfEachKind();
  const idOf = (kind: string) => made.find((each) => each.kind === kind)?.id ?? '';
  for (const kind of ['shipment', 'move', 'webhook', 'key']) {
    const path = `/v1/${kind}s/${idOf(kind)}`;
    expect((await service.api.delete(path)).status).toBe(204);
  }
  // As when its time is over.
  await service.sql.query('DELETE FROM imports WHERE id = $1', [idOf('import')]);
  return made;
}

/** Each query that the route knows, with a value that fits the record. */
function queriesOf({ handler, path }: Route, { id, eTag }: Named): string[] {
  const known = fieldsOf(queryTypeOf(handler)).map(({ name }) => name);
  const values: Record<string, string[]> = {
    version: [eTag],
    expand: path.startsWith('/v1/moves') ? ['shipments'] : ['services', 'agents', 'move', 'services,agents,move'],
    limit: ['1', '200'],
    outcome: ['refused'],
    line: ['2'],
    excel: ['true'],
    state: ['pending'],
    cursor: /\/(history|rows|deliveries)$/.test(path)
      ? ['1', '999999999999999999'].map(cursorOf)
      : [UNKNOWN_ID, id].map((each) => cursorOf(`-createdAt ${each}`)),
  };
  const untried = known.filter((name) => values[name] === undefined);
  expect([path, untried]).toEqual([path, []]);
  const pairs = known.flatMap((name) => (values[name] ?? []).map((value) => `?${name}=${value}`));
  // A cursor is only one when it packs the id of a record.
  return ['', ...pairs.filter((pair) => !(pair.startsWith('?cursor') && id.length < 36))];
}

async function expectNothing(
  route: Route,
  path: string,
  { eTag }: Named,
  [status, code]: [number, string] = [404, 'NOT_FOUND'],
): Promise<void> {
  const body = ['POST', 'PUT', 'PATCH'].includes(route.method) ? {} : undefined;
  // A delivery has no version, so that a request for one that names a version is refused before it is looked for.
  const versions = route.path.endsWith('/redeliver') ? ['*'] : ['*', eTag];
  for (const version of versions) {
    const answer = await service.api.send(route.method, path, body, { 'If-Match': version });
    const about = `${route.method} ${path}`;
    expect([about, answer.status]).toEqual([about, status]);
    expectProblem(answer, status, code);
    expect(JSON.stringify(answer.body)).not.toContain(MARK);
  }
  if (route.method !== 'GET') return;
  expect((await service.api.send('HEAD', path)).status).toBe(status);
}

function routesWithIDs(): Route[] {
  return routesOf(service.app).filter(({ path }) => /:\w+ID\b/.test(path));
}

const kindOf = (parameter: string) => parameter.replace(/^:|ID$/g, '');

test.each([
  ['a record', oneOfEachKind],
  ['a deleted record', oneOfEachKindDeleted],
])('404 under every path, with every query, for the id of %s of another kind', async (_, make) => {
  const [records, own] = [await make(), await oneOfEachKind()];
  let tried = 0;
  for (const [place, route] of routesWithIDs().entries()) {
    const parameters = route.path.match(/:\w+ID\b/g) ?? [];
    for (const wrong of parameters) {
      const others = records.filter(({ kind }) => kind !== kindOf(wrong));
      for (const record of shareOf(others, place, 3)) {
        const path = route.path.replace(/:\w+ID\b/g, (parameter) => {
          return parameter === wrong ? record.id : (own.find(({ kind }) => kind === kindOf(parameter))?.id ?? '');
        });
        const queries = queriesOf(route, record);
        for (const query of shareOf(queries, records.indexOf(record), queries.length)) {
          await expectNothing(route, path + query, record);
          tried += 1;
        }
      }
    }
  }
  expect(tried).toBeGreaterThan(100);
});

test('404 for an address under a shipment that has others', async () => {
  const [one, other] = [await oneOfEachKind(), await oneOfEachKind()];
  const idIn = (records: Named[], wanted: string): Json => records.find(({ kind }) => kind === wanted);
  const [shipment, address] = [idIn(one, 'shipment'), idIn(other, 'address')];
  for (const route of routesWithIDs().filter(({ path }) => path.includes(':addressID'))) {
    const path = route.path.replace(':shipmentID', shipment.id).replace(':addressID', address.id);
    await expectNothing(route, path, shipment);
  }
});

test('404 for a deleted record of the kind itself, or 410 if the service deletes them, but for its past versions and its history', async () => {
  const deleted = await oneOfEachKindDeleted();
  for (const route of routesWithIDs().filter(({ path }) => !path.endsWith('/undelete'))) {
    const parameters = route.path.match(/:\w+ID\b/g) ?? [];
    const path = route.path.replace(/:\w+ID\b/g, (parameter) => {
      return deleted.find(({ kind }) => kind === kindOf(parameter))?.id ?? '';
    });
    const record = deleted.find(({ kind }) => kind === kindOf(parameters[0] ?? ''));
    if (record === undefined) throw new Error(`No record for ${route.path}`);
    for (const query of queriesOf(route, record)) {
      if (!query.startsWith('?version=') && !path.endsWith('/history'))
        await expectNothing(route, path + query, record, record.kind === 'import' ? [410, 'NOT_KEPT'] : undefined);
      else expect([path, (await service.api.get(path + query)).status]).toEqual([path, 200]);
    }
  }
});
