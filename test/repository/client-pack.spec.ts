import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';

const run = promisify(execFile);

/** The client is compiled twice, on a machine that may have other things to do. */
const BUILD_MS = 240_000;

/** Environment variables of `npm test` would lead another npm back into this project. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

describe('the package that npm pack makes of the client in a fresh clone', () => {
  let checkout: Checkout;
  let unpacked: string;

  beforeAll(async () => {
    checkout = await freshCheckout({ unbuilt: 'client/dist' });
    await run('npm', ['pack', '--workspace', 'client'], { cwd: checkout.folder, env });
    await run('tar', ['-xzf', 'waybill-client-0.1.0.tgz'], { cwd: checkout.folder });
    unpacked = join(checkout.folder, 'package');
  }, BUILD_MS);
  afterAll(() => checkout.remove());

  it('has the code and the types that it exports', async () => {
    const { exports } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as {
      exports: { '.': { import: { types: string; default: string } } };
    };
    const { types, default: code } = exports['.'].import;
    expect(await readFile(join(unpacked, types), 'utf8')).toContain('WaybillClient');
    const program = `import { WaybillClient } from ${JSON.stringify(join(unpacked, code))};
      console.log(typeof new WaybillClient({ baseUrl: 'http://localhost' }).shipments.update);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout).toBe('function\n');
  });
});
