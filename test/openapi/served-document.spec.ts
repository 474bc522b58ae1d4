import { readFileSync } from 'node:fs';
import type { Json } from '../support/http/api.js';
import { useSecuredService } from '../support/http/tokens.js';
import { useService } from '../support/service/service.js';

const open = useService();
const { service: secured } = useSecuredService();

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of the document that demand a token. */
async function demanding({ api }: typeof open): Promise<string[]> {
  const { body } = await api.get('/openapi.json');
  return Object.entries(body.paths).flatMap(([path, item]: [string, Json]) => {
    return METHODS.filter((method) => item[method]?.security?.length > 0).map((method) => `${method} ${path}`);
  });
}

test('no operation demands a token with AUTH_MODE=off, as none needs one', async () => {
  const { body } = await open.api.get('/openapi.json');
  expect(body.components.securitySchemes).toBeUndefined();
  expect(await demanding(open)).toEqual([]);
});

test('/openapi.json is the committed document with AUTH_MODE=jwt', async () => {
  const committed = JSON.parse(readFileSync('openapi.json', 'utf8'));
  expect((await secured.api.get('/openapi.json')).body).toEqual(committed);
});

test('every operation that answers 401 without a token demands one with AUTH_MODE=jwt', async () => {
  const found = await demanding(secured);
  expect(found).toEqual(expect.arrayContaining(['get /v1/moves', 'post /v1/shipments', 'get /v1/overview']));
  expect(found).not.toContain('get /openapi.json');
});

test('the links of /v1/overview have lists in the style that the document describes', async () => {
  const { body } = await open.api.get('/openapi.json');
  const { parameters } = body.paths['/v1/shipments'].get;
  const lists =
    JSON.stringify((await open.api.get('/v1/overview?from=2026-01-01&to=2026-01-02')).body).match(
      /\/v1\/shipments\?[^"]+/g,
    ) ?? [];
  const commas = lists.flatMap((link) =>
    [...new URLSearchParams(link.split('?')[1])].filter(([, value]) => value.includes(',')),
  );
  expect(commas.length).toBeGreaterThan(0);
  for (const [name] of commas) {
    expect(parameters.find((each: Json) => each.name === name)).toMatchObject({ style: 'form', explode: false });
  }
});
