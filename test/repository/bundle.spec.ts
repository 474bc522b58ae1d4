import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Replica } from '../support/service/replica.js';
import { createTestDatabase } from '../support/database/test-database.js';

/** Parts that packages load only for those who use them, and we do not. */
const NEVER_LOADED = ['@nestjs/microservices', '@nestjs/websockets', 'pg-native', 'supports-color'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function programs(within: string): Promise<string[]> {
  const names = await readdir(within, { recursive: true });
  return names.filter((name) => name.endsWith('.js')).sort();
}

test('the build contains every package that it imports', async () => {
  const packages = new Set<string>();
  for (const name of await programs('dist')) {
    const code = await readFile(join('dist', name), 'utf8');
    for (const [, imported = ''] of code.matchAll(
      /(?:^import |^(?:import|}).* from |\bimport\(|__require\()"([^"\n]+)"/gm,
    )) {
      const isOwn = imported.startsWith('.') || imported.startsWith('node:');
      if (!isOwn && !builtinModules.includes(imported)) packages.add(imported);
    }
  }
  const isNeverLoaded = (name: string) => NEVER_LOADED.some((one) => name === one || name.startsWith(`${one}/`));
  expect([...packages].filter((name) => !isNeverLoaded(name))).toEqual([]);
  expect([...packages]).toContain('@nestjs/microservices');
});

test('the build serves without node_modules', async () => {
  const home = join(folder, 'alone');
  for (const name of ['dist', 'public', 'package.json']) await cp(name, join(home, name), { recursive: true });
  const database = await createTestDatabase();
  const replica = await Replica.start({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }, home);
  try {
    const created = await fetch(`${replica.url}/v1/shipments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ shipmentType: 'HHG' }),
    });
    const style = await fetch(`${replica.url}/docs/assets/swagger-ui.css`);
    expect([created.status, style.status]).toEqual([201, 200]);
  } finally {
    await replica.stop();
    await database.drop();
  }
});
