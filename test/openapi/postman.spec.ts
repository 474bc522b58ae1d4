import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import type { Json } from '../support/http/api.js';
import { useService } from '../support/service/service.js';

const FILE = 'docs/waybill.postman_collection.json';
const service = useService();

test('the collection is that of openapi.json; `npm run openapi` renews it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-postman-'));
  const fresh = join(folder, 'collection.json');
  await promisify(execFile)(process.execPath, ['scripts/postman.mjs', 'openapi.json', fresh]);
  expect(await readFile(FILE, 'utf8')).toBe(await readFile(fresh, 'utf8'));
  await rm(folder, { recursive: true });
});

test('the collection has every call of the document, but those for people and probes, another spelling, and what never ends', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'));
  const wanted = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(get|post|patch|put|delete)$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  const { item } = JSON.parse(await readFile(FILE, 'utf8'));
  const requests: Json[] = item.flatMap((folder: Json) => folder.item.map(({ request }: Json) => request));
  const shown = requests.map(({ method, url }) =>
    `${method} /${url.path.join('/')}`.replaceAll(/\{\{|\}\}/g, (b) => b[0] ?? ''),
  );
  const missing = wanted.filter((call) => !shown.includes(call));
  expect(missing.filter((call) => call.includes('/v1/'))).toEqual([
    'POST /prime/v1/shipments',
    'GET /v1/events/stream',
  ]);
});

/** As much of Postman as the scripts of the collection use. */
async function runInOrder(collection: Json, baseUrl: string): Promise<Record<string, unknown>> {
  const variables = new Map<string, unknown>(collection.variable.map(({ key, value }: Json) => [key, value]));
  variables.set('baseUrl', baseUrl);
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\S+?)\}\}/g, (_, name: string) =>
      name === '$guid' ? randomUUID() : String(variables.get(name)),
    );
  const outcomes: Record<string, unknown> = {};
  for (const { name: call, request, event } of collection.item.flatMap((folder: Json) => folder.item)) {
    const response = await fetch(filled(request.url.raw), {
      method: request.method,
      headers: {
        Authorization: filled(`Bearer ${collection.auth.bearer[0].value}`),
        ...Object.fromEntries(request.header.map(({ key, value }: Json) => [key, filled(value)])),
      },
      ...(request.body && { body: filled(request.body.raw) }),
    });
    const text = await response.text();
    const have = {
      status: (status: number) => expect(response.status).toBe(status),
      header: (name: string) => expect(response.headers.has(name)).toBe(true),
      jsonBody: (member: string) => expect(JSON.parse(text)).toHaveProperty(member),
    };
    const pm = {
      response: { code: response.status, json: () => JSON.parse(text), to: { have } },
      collectionVariables: {
        get: (key: string) => variables.get(key),
        set: (key: string, value: unknown) => variables.set(key, value),
      },
      test: (title: string, check: () => void) => {
        try {
          check();
        } catch {
          outcomes[`${call}: ${title}`] = [response.status, text];
        }
      },
    };
    runInNewContext(event[0].script.exec.join('\n'), { pm });
  }
  return outcomes;
}

test('the collection runs from top to bottom without a failure, and leaves nothing behind', async () => {
  const failures = await runInOrder(JSON.parse(await readFile(FILE, 'utf8')), service.url);
  expect(failures).toEqual({});
  for (const list of ['/v1/moves', '/v1/shipments']) expect((await service.api.get(list)).body).toEqual([]);
});
