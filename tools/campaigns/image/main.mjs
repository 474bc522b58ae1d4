// Builds the image and runs the compose file with the Docker Engine of this machine.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { arch, exit } from 'node:process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { measured } from '../../evidence/measured.mjs';
import { Engine, Failure } from './engine.mjs';
import { checkFaults } from './faults.mjs';
import { buildImage, checkImage } from './image.mjs';
import { checkAlone } from './alone.mjs';
import { Report } from './report.mjs';
import { checkRolling } from './rolling.mjs';
import { checkCommands, checkStack } from './stack.mjs';
import { checkTracing } from './tracing.mjs';

const USAGE = `Builds the image and runs the stack of docker-compose.yml, with the Docker Engine of DOCKER_HOST or of the default socket.

  npm run campaign -- image [--arch ARCH] [--port PORT] [STEP...]

  build     the image, and again after a change of the source
  check     what is in the image, its size and its labels
  stack     docker compose up, then requests over https
  faults    a replica away while nginx starts, missing rights, what is logged
  commands  operators' commands in the image
  tracing   spans at a collector
  alone     the image without the stack: faults of configuration, then confined as in Kubernetes, under load
  rolling   deploy/upgrade.sh to another image, under load; the database restarts
  stop      removes the stack with its data

Without a step, it runs all of them. With --arch arm64 or x64, the image is built for that machine; on another one, the engine has to emulate it.
The ports that it publishes must be on this machine: the one of --port (8443), and free ones. The stack is a Compose project of its own.
It ends with 1 after a check that failed, and with 2 without an engine.`;

const STEPS = ['build', 'check', 'stack', 'faults', 'commands', 'tracing', 'alone', 'rolling', 'stop'];
const PLATFORMS = { x64: 'linux/amd64', arm64: 'linux/arm64' };
const NO_ENGINE = 'No Docker Engine answers: start one with Docker Compose, or name its address in DOCKER_HOST.';

/** For an emulated machine: a start takes minutes, and the health check allows seconds. */
const PATIENT = '{ healthcheck: { start_period: 10m, timeout: 60s } }';
const PATIENT_REPLICAS = `services: { service-1: ${PATIENT}, service-2: ${PATIENT} }\n`;

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        arch: { type: 'string', default: arch },
        port: { type: 'string', default: '8443' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const unknown = positionals.find((step) => !STEPS.includes(step));
    if (unknown !== undefined) throw new Error(`There is no step ${unknown}.`);
    if (!(values.arch in PLATFORMS)) throw new Error(`There is no image for ${values.arch}.`);
    return { ...values, steps: positionals.length > 0 ? positionals : STEPS };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    return exit(1);
  }
}

/** The images that the files of the checkout name. */
function readNames() {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  const [, node] = /^FROM .*(node:\S+)/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  return { node, waybill: Object.values(services).find(({ image }) => image.startsWith('waybill:')).image };
}

async function main() {
  const { arch: machine, port, help, steps } = readOptions();
  if (help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'waybill-image-'));
  const patient = join(folder, 'patient.yml');
  writeFileSync(patient, PATIENT_REPLICAS);
  const isEmulated = machine !== arch;
  const engine = new Engine(port, ['docker-compose.yml', ...(isEmulated ? [patient] : [])]);
  try {
    if (engine.run(['docker', 'compose', 'ls']).status === 0) await run(engine, { machine, isEmulated, port, steps });
    else {
      process.stderr.write(`${NO_ENGINE}\n`);
      process.exitCode = 2;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(engine, { machine, isEmulated, port, steps }) {
  const report = new Report();
  const base = `https://localhost:${port}`;
  const world = { engine, names: readNames(), machine, platform: PLATFORMS[machine], isEmulated, report, base };
  const began = performance.now();
  for (const step of steps) {
    report.section(step);
    await {
      build: buildImage,
      check: checkImage,
      stack: checkStack,
      faults: checkFaults,
      commands: checkCommands,
      tracing: checkTracing,
      alone: checkAlone,
      rolling: checkRolling,
      stop: () => engine.ask('docker', 'compose', '--profile', '*', 'down', '--volumes', '--timeout', '10'),
    }[step](world);
  }
  const { count, failures } = report;
  const where = isEmulated ? `${machine}, emulated on ${arch}` : arch;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const docker = engine.ask('docker', 'version', '--format', '{{.Server.Version}}');
  const settings = { image: machine, isEmulated, steps };
  measured({ figures: { checks: count, ...report.figures }, failed: failures, versions: { docker }, settings });
  process.stdout.write(`\n${count - failures.length} of ${count} checks passed on ${where}, in ${seconds} s\n`);
  for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
