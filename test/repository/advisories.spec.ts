import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ADVISORY = {
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Reads what it must not',
  severity: 'high',
  vulnerable_versions: '<999',
  cwe: [],
};

let registry: Server;
let advisories: object | undefined;

beforeAll(async () => {
  registry = createServer((request, response) => {
    const isBulk = request.url?.endsWith('/advisories/bulk') === true;
    if (isBulk && advisories !== undefined) response.end(JSON.stringify(advisories));
    else response.writeHead(isBulk ? 405 : 404).end();
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => registry.close());

function check(answer: object | undefined, ...words: string[]): Promise<[code: number | null, said: string]> {
  advisories = answer;
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['tools/advisories/main.mjs', ...words], { env }, (_, stdout) =>
      resolve([child.exitCode, stdout]),
    );
  });
}

test('a registry without advisories is said to have none, and fails only a check that requires them', async () => {
  const said = expect.stringMatching(
    /^NOT CHECKED for vulnerabilities: the registry has no advisories \(405/,
  ) as string;
  expect(await check(undefined)).toEqual([0, said]);
  expect(await check(undefined, '--required')).toEqual([1, said]);
});

test('no vulnerability, and how many packages were checked', async () => {
  expect(await check({})).toEqual([0, expect.stringMatching(/^0 known vulnerabilities in \d{2,} packages\n$/)]);
});

test('a vulnerability of a package that the service needs is a failure', async () => {
  const [code, said] = await check({ pg: [ADVISORY] });
  expect([code, said.split('\n')[0]]).toEqual([1, `high: pg <999: ${ADVISORY.title} ${ADVISORY.url}`]);
  expect(said).toMatch(/^1 known vulnerabilities in /m);
});
