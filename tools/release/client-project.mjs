// The client in a project that has nothing else: types and calls, from ES modules and CommonJS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const CALLS = `
async function main(): Promise<void> {
  const server = createServer((request, response) => {
    response.writeHead(404, { 'Content-Type': 'application/problem+json' });
    response.end(JSON.stringify({ type: '/problems/NOT_FOUND', title: 'x', status: 404, code: 'NOT_FOUND', instance: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const client = new WaybillClient({ baseUrl: \`http://127.0.0.1:\${port}\` });
  const status: Shipment['status'] | undefined = await client.shipments.get('x').then(
    (shipment) => shipment.status,
    (error: unknown) => (isProblem(error, 'NOT_FOUND') ? undefined : Promise.reject(error)),
  );
  server.close();
  console.log(process.version, status, typeof verifyWebhook);
}
void main();
`;

const IMPORTS = `
import { createServer } from 'node:http';
import { isProblem, WaybillClient, type Shipment } from '@waybill/client';
import { verifyWebhook } from '@waybill/client/webhooks';
`;

/** Returns the version of Node.js that ran it, the newest of a major version. */
export function tryClient(tarball, major, ask) {
  const project = mkdtempSync(join(tmpdir(), 'waybill-client-'));
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    ask('npm', 'install', '--prefix', project, '--offline', '--no-audit', '--no-fund', resolve(tarball));
    const programs = ['module.mts', 'common.cts'].map((name) => join(project, name));
    for (const program of programs) writeFileSync(program, IMPORTS + CALLS);
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const options = ['--ignoreConfig', '--strict', '--target', 'es2022', '--module', 'node20', ...types];
    ask(process.execPath, 'node_modules/typescript-native/bin/tsc', ...options, ...programs);
    const runs = ['module.mjs', 'common.cjs'].map((name) =>
      ask('scripts/with-node.sh', `${major}`, 'node', join(project, name)).split('\n').at(-1),
    );
    const [version] = runs[0].split(' ');
    if (runs.some((run) => run !== `${version} undefined function`))
      throw new Error(`The client wrote ${runs.join('; ')}`);
    return `Node.js ${version}`;
  } finally {
    rmSync(project, { recursive: true });
  }
}
