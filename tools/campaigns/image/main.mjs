// Builds the image and runs the compose file with a real Docker Engine, on Debian, without a registry.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { arch, exit, getuid } from 'node:process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { Bases } from './bases.mjs';
import { emulate, stopEmulating } from './emulation.mjs';
import { Engine } from './engine.mjs';
import { checkFaults } from './faults.mjs';
import { DEBIAN_NAMES, Failure, Host } from './host.mjs';
import { buildImage, checkImage } from './image.mjs';
import { checkAlone } from './alone.mjs';
import { Report } from './report.mjs';
import { checkRolling } from './rolling.mjs';
import { checkCommands, checkStack } from './stack.mjs';
import { checkTracing } from './tracing.mjs';

const USAGE = `Builds the image and runs the stack of docker-compose.yml with a real Docker Engine, on Debian without a registry, as root.

  npm run campaign -- image [--arch ARCH] [--checkout FOLDER] [--state FOLDER] [--port PORT] [STEP...]

  bases     a Docker Engine from Debian packages, and local images under the names that Dockerfile and compose file use
  build     the image: what is in it, its size, its labels, and a second build after a change
  stack     docker compose up, then requests over https
  faults    a replica away while nginx starts, missing rights, what is logged
  commands  operators' commands in the image
  tracing   spans at a collector of our own
  alone     the image without the stack: faults of configuration, then confined as in Kubernetes, under load
  rolling   deploy/upgrade.sh to another image, under load; the database restarts
  stop      removes the stack with its data, and stops the engine
  clean     removes the folder, too

With --arch arm64, an x64 machine builds the image for arm64 and runs it with QEMU, between its own PostgreSQL and nginx.
Without a step, it runs all of them up to stop. The first run takes 10 minutes and 4 GB in the folder --state (/var/tmp/waybill-image).
Node.js, Docker Engine, Compose and the kernel's limits are real; the base images are Debian packages: PostgreSQL 18 of testing, nginx of stable.`;

const STEPS = ['bases', 'build', 'stack', 'faults', 'commands', 'tracing', 'alone', 'rolling', 'stop', 'clean'];

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        arch: { type: 'string', default: arch },
        checkout: { type: 'string', default: '.' },
        state: { type: 'string', default: '/var/tmp/waybill-image' },
        port: { type: 'string', default: '8443' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const unknown = positionals.find((step) => !STEPS.includes(step));
    if (unknown !== undefined) throw new Error(`There is no step ${unknown}.`);
    return { ...values, steps: positionals.length > 0 ? positionals : STEPS.slice(0, -1) };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    return exit(1);
  }
}

/** The images that the files of a checkout name. */
function namesIn(checkout) {
  const { services } = parse(readFileSync(resolve(checkout, 'docker-compose.yml'), 'utf8'), { merge: true });
  const [, node] = /^FROM .*(node:\S+)/m.exec(readFileSync(resolve(checkout, 'Dockerfile'), 'utf8')) ?? [];
  const named = (start) => Object.values(services).find(({ image }) => image.startsWith(start)).image;
  return { node, postgres: named('postgres:'), nginx: named('nginx:'), waybill: named('waybill:') };
}

async function stop(engine) {
  stopEmulating(engine);
  await engine.stop();
}

async function main() {
  const { arch: machine, checkout, state, port, help, steps } = readOptions();
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  if (getuid() !== 0 || !existsSync('/etc/debian_version') || !(arch in DEBIAN_NAMES) || !(machine in DEBIAN_NAMES)) {
    throw new Failure('This campaign runs as root, on Debian, on x64 or arm64.');
  }
  const host = new Host(resolve(state));
  const engine = new Engine(host, resolve(checkout), port);
  const names = namesIn(checkout);
  const report = new Report();
  const world = { host, engine, names, machine, report, base: `https://localhost:${port}` };
  const began = performance.now();
  for (const step of steps) {
    report.section(step);
    if (step !== 'stop' && step !== 'clean') {
      engine.install();
      await engine.start();
      emulate(host, engine, machine);
    }
    await {
      bases: () => new Bases(world).make(machine),
      build: () => (buildImage(world), checkImage(world)),
      stack: () => checkStack(world),
      faults: () => checkFaults(world),
      commands: () => checkCommands(world),
      tracing: () => checkTracing(world),
      alone: () => checkAlone(world),
      rolling: () => checkRolling(world),
      stop: () => stop(engine),
      clean: async () => {
        await stop(engine);
        rmSync(host.state, { recursive: true });
      },
    }[step]();
  }
  const { count, failures } = report;
  process.stdout.write(
    `\n${count - failures.length} of ${count} checks passed on ${machine === arch ? arch : `${machine}, emulated on ${arch}`}, in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
  );
  for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
