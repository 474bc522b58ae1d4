import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { freePort } from '../support/http/free-port.js';
import { eventually } from '../support/races/eventually.js';
import { type Checkout, freshCheckout } from '../support/repository/checkout.js';

const run = promisify(execFile);

/** The oldest Node.js that the CLI runs on. */
const NODE = 22;
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
/** On a busy machine, a start takes minutes. */
const WITHIN_MS = 400_000;

const CONTROLLER = 'src/notes/notes.controller.ts';
const ROUTE = `import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';

@Controller('notes')
export class NotesController {
  @Get()
  @Public()
  read(): string[] {
    return ['first'];
  }
}
`;

/** As `npx @nestjs/cli@12` does, the commands run from a folder of their own: the CLI is no package of the project. */
describe('the Nest CLI in a checkout', () => {
  let tools: string;
  let checkout: Checkout;
  let database: TestDatabase;
  let environment: Record<string, string | undefined>;
  let nest: string;
  let service: ChildProcess | undefined;
  let output = '';

  beforeAll(async () => {
    tools = await mkdtemp(join(tmpdir(), 'waybill-nest-'));
    const isOldEnough = Number.parseInt(process.versions.node) < NODE;
    const packages = ['@nestjs/cli@12', ...(isOldEnough ? [`${NODE_PACKAGE}@${NODE}`] : [])];
    const install = run('npm', [
      'install',
      '--prefix',
      tools,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      ...packages,
    ]);
    [checkout, database] = await Promise.all([freshCheckout(), createTestDatabase(), install]);
    const bin = isOldEnough ? join(tools, 'node_modules', NODE_PACKAGE, 'bin') : dirname(process.execPath);
    const { PATH, HOME } = process.env;
    environment = { PATH: `${bin}:${PATH ?? ''}`, HOME, PORT: String(await freePort()), DATABASE_URL: database.url };
    nest = join(tools, 'node_modules/.bin/nest');
  });
  afterAll(async () => {
    if (service?.pid !== undefined && service.exitCode === null) {
      const ended = once(service, 'exit');
      // As a terminal does it: Ctrl-C signals the whole group.
      process.kill(-service.pid, 'SIGINT');
      await ended;
    }
    await Promise.all([checkout.remove(), database.drop(), rm(tools, { recursive: true })]);
  });

  function cli(...words: string[]): Promise<{ stdout: string }> {
    return run(nest, words, { cwd: checkout.folder, env: environment });
  }

  async function answer(path: string): Promise<unknown> {
    const response = await fetch(`http://localhost:${environment['PORT'] ?? ''}${path}`).catch(() => undefined);
    return response?.json();
  }

  async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await eventually(condition, WITHIN_MS, what).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${output}`);
    });
  }

  it('info names the versions of the packages', async () => {
    const { stdout } = await cli('info');
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: object };
    expect(stdout).toContain(`core version             : ${(dependencies as Record<string, string>)['@nestjs/core']}`);
  });

  it('build compiles the service, its migrations and the embedded PostgreSQL, and leaves dist to npm start', async () => {
    const bundle = await readFile(join(checkout.folder, 'dist/src/main.js'), 'utf8');
    await cli('build');
    const folder = join(checkout.folder, 'dist-nest');
    expect(await readFile(join(folder, 'src/main.js'), 'utf8')).toMatch(/^import 'reflect-metadata';$/m);
    expect(await readFile(join(folder, 'migrations/migrations.js'), 'utf8')).toContain('MIGRATIONS');
    expect(await readFile(join(folder, 'packages/embedded-postgres/src/server.js'), 'utf8')).toContain('class Server');
    expect(await readFile(join(checkout.folder, 'dist/src/main.js'), 'utf8')).toBe(bundle);
  });

  it('generate adds a controller without a spec, and imports it as an ES module', async () => {
    await cli('generate', 'controller', 'notes');
    expect(await readFile(join(checkout.folder, CONTROLLER), 'utf8')).toContain("@Controller('notes')");
    await expect(readFile(join(checkout.folder, CONTROLLER.replace('.ts', '.spec.ts')))).rejects.toThrow('ENOENT');
    const root = await readFile(join(checkout.folder, 'src/app.module.ts'), 'utf8');
    expect(root).toContain("import { NotesController } from './notes/notes.controller.js';");
  });

  it('start --watch serves the sources, and what is saved later', async () => {
    service = spawn(nest, ['start', '--watch'], { cwd: checkout.folder, env: environment, detached: true });
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (text) => (output += String(text)));
    await until(async () => (await answer('/health/live')) !== undefined, 'the start');
    expect(await answer('/v1/moves')).toEqual([]);
    await writeFile(join(checkout.folder, CONTROLLER), ROUTE);
    await until(async () => JSON.stringify(await answer('/notes')) === '["first"]', 'the saved route');
  });

  it('a field with a decorator of class-validator ends the start, with its name', async () => {
    const path = join(checkout.folder, 'src/shipments/agents/dto/agent-fields.ts');
    const text = await readFile(path, 'utf8');
    const field = text.replace('@Text(AGENT_LENGTHS.email)', '@IsEmail()');
    await writeFile(path, `import { IsEmail } from 'class-validator';\n${field}`);
    await until(() => output.includes('AgentFields.email has a rule of class-validator'), 'the failure');
    expect(await answer('/health/live')).toBeUndefined();
  });
});
