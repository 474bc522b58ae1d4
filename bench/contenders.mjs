// The contenders, and how each of them is started and stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformFile } from '@swc/core';

const here = import.meta.dirname;
export const POOL_SIZE = 10;
const READY_WITHIN_MS = 60_000;

export const CONTENDERS = [
  { name: 'bare-http', title: 'bare node:http + pg', program: 'contenders/bare-http.mjs' },
  { name: 'express', title: 'Express 5 + pg', program: 'contenders/express.mjs' },
  { name: 'by-the-book', title: 'NestJS 12 + TypeORM by the book', program: 'contenders/by-the-book.ts' },
  { name: 'waybill', title: 'Waybill', program: '../dist/src/main.js', flags: await flagsOfStart() },
];

/** The Node.js options of `npm start`. */
async function flagsOfStart() {
  const { scripts } = JSON.parse(await readFile(join(here, '../package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

export class Contender {
  constructor(definition, child, port) {
    this.name = definition.name;
    this.title = definition.title;
    this.pid = child.pid;
    this.child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts a server as in production, with what it logs thrown away, and waits until it answers. */
  static async start(definition, databaseUrl, node = process.execPath) {
    const port = await freePort();
    const child = spawn(node, [...(definition.flags ?? []), await compiled(join(here, definition.program))], {
      cwd: here,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATABASE_URL: databaseUrl,
        POOL_SIZE: String(POOL_SIZE),
        AUTH_MODE: 'off',
        DRAIN_DELAY_MS: '0',
        ...(definition.silent && { LOG_LEVEL: 'silent' }),
      },
    });
    const contender = new Contender(definition, child, port);
    process.once('exit', () => child.kill('SIGKILL'));
    await contender.untilReady();
    return contender;
  }

  async untilReady() {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const status = await statusOf(`${this.url}/v1/shipments?limit=1`).catch(() => undefined);
      if (status === 200) return;
      if (this.child.exitCode !== null || Date.now() > deadline) {
        this.child.kill('SIGKILL');
        throw new Error(`${this.title} does not start (last answer: ${status ?? 'none'})`);
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

/** Decorators need a compiler; what it makes goes where the service's own build is. */
async function compiled(program) {
  if (!program.endsWith('.ts')) return program;
  const { code } = await transformFile(program, {
    swcrc: false,
    configFile: false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  });
  const folder = join(here, '..', 'dist', 'bench');
  await mkdir(folder, { recursive: true });
  const target = join(folder, 'by-the-book.mjs');
  await writeFile(target, code);
  return target;
}

async function statusOf(url) {
  const request = get(url, { agent: false });
  const [response] = await once(request, 'response');
  response.resume();
  return response.statusCode;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
