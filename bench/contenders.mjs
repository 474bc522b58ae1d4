// The contenders, and how each of them is started and stopped.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledFile, compileSources } from '../scripts/sources.mjs';
import { GRAPHQL, REST } from './requests.mjs';

const here = import.meta.dirname;
export const POOL_SIZE = 10;
const READY_WITHIN_MS = 60_000;

/** With the versions of packages that only a contender needs, and the SQL that it runs before it starts. */
export const CONTENDERS = [
  { name: 'bare-http', title: 'bare node:http + pg', program: 'contenders/bare-http.mjs' },
  { name: 'express', title: 'Express 5 + pg', program: 'contenders/express.mjs' },
  {
    name: 'express-deployed',
    title: 'Express 5 + pg as deployed',
    program: 'contenders/express-deployed.mjs',
    packages: { helmet: '8.3.0', 'pino-http': '11.0.0' },
  },
  {
    name: 'postgraphile',
    title: 'PostGraphile 5',
    program: 'contenders/postgraphile.mjs',
    packages: { postgraphile: '5.1.5' },
    leastNode: 22,
    preparation: 'contenders/postgraphile.sql',
    requests: GRAPHQL,
  },
  { name: 'by-the-book', title: 'NestJS 12 + TypeORM by the book', program: 'contenders/by-the-book.ts' },
  { name: 'waybill', title: 'Waybill', ...serviceOf(join(here, '..')) },
];

/** Contenders by their names, without those that need a newer Node.js. */
export function chooseContenders(names, node, say) {
  const major = Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))[1]);
  return CONTENDERS.filter(({ name, title, leastNode = 0 }) => {
    if (names.includes(name) && major < leastNode) {
      say(`Leaving out ${title}: it needs Node.js ${leastNode}, and this is ${major} (see --node).`);
      return false;
    }
    return names.includes(name);
  });
}

/** The service of a checkout, with the Node.js options of its `npm start`. */
export function serviceOf(checkout) {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  return { program: join(checkout, 'dist/src/main.js'), flags };
}

export class Contender {
  constructor(definition, child, port) {
    this.name = definition.name;
    this.title = definition.title;
    this.requests = definition.requests ?? REST;
    this.pid = child.pid;
    this.child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts a server as in production, with what it logs thrown away, and waits until it answers. */
  static async start(definition, database, node = process.execPath) {
    if (definition.preparation) await database.query(await readFile(join(here, definition.preparation), 'utf8'));
    const port = await freePort();
    const child = spawn(node, [...(definition.flags ?? []), await compiled(resolve(here, definition.program))], {
      cwd: here,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATABASE_URL: database.url,
        POOL_SIZE: String(POOL_SIZE),
        AUTH_MODE: 'off',
        DRAIN_DELAY_MS: '0',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    });
    const contender = new Contender(definition, child, port);
    process.once('exit', () => child.kill('SIGKILL'));
    await contender.untilReady();
    return contender;
  }

  async untilReady() {
    const deadline = Date.now() + READY_WITHIN_MS;
    const { path, ...request } = this.requests.list();
    for (;;) {
      const response = await fetch(this.url + path, request).catch(() => undefined);
      const text = await response?.text();
      if (response?.status === 200 && !this.requests.isRefused(text)) return;
      if (this.child.exitCode !== null || Date.now() > deadline) {
        this.child.kill('SIGKILL');
        throw new Error(`${this.title} does not start (last answer: ${text ?? 'none'})`);
      }
      await sleep(100);
    }
  }

  async stop() {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const impatience = sleep(5_000, undefined, { ref: false }).then(() => this.child.kill('SIGKILL'));
    await gone;
    impatience.catch(() => undefined);
  }
}

/** Decorators need a compiler. */
async function compiled(program) {
  if (!program.endsWith('.ts')) return program;
  await compileSources();
  return compiledFile(relative('.', program));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
