// Where and with what a result was measured: without it, a figure says nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpus, loadavg, totalmem, type } from 'node:os';

export function describeMachine(name, node, database, postgresVersion) {
  const [{ model }] = cpus();
  return {
    date: new Date().toISOString(),
    command: `npm run bench -- ${name} ${process.argv.slice(2).join(' ')}`.trim(),
    machine: {
      system: `${type()} ${process.arch}`,
      cores: cpus().length,
      model: model === 'unknown' ? cpuModel() : model,
      memoryGB: Math.round(totalmem() / 2 ** 30),
      loadAverageBefore: loadavg().map((load) => Number(load.toFixed(2))),
    },
    versions: {
      node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
      postgres: postgresVersion,
      wrk: /wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout)?.[1],
      ...packageVersions(['@nestjs/core', 'express', 'pg', 'typeorm']),
    },
    postgresSettings: database.settings,
  };
}

/** Node.js does not know the names of ARM's processors. */
function cpuModel() {
  const text = spawnSync('lscpu', { encoding: 'utf8' }).stdout ?? '';
  return /^Model name:\s*(.+)$/m.exec(text)?.[1] ?? 'unknown';
}

function packageVersions(names) {
  const require = createRequire(import.meta.url);
  return Object.fromEntries(names.map((name) => [name, require(`../node_modules/${name}/package.json`).version]));
}
