// Contenders that need packages of their own run from a temporary folder, with copies of their programs beside the packages.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingTool } from './program.mjs';

const here = import.meta.dirname;

/** Packages that the repository has, too, in its versions. */
const SHARED = ['ajv', 'ajv-formats', 'express', 'pg', 'pino', 'prom-client', 'uuid'];

const NPM_WORDS = [
  ...['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'],
];

/**
 * Installs what these contenders need, and returns them with the paths of their copies.
 * @param {{ name: string, title: string, program: string, packages?: Record<string, string> }[]} contenders
 */
export function installPackages(contenders, say) {
  const own = Object.assign({}, ...contenders.map(({ packages }) => packages));
  const named = Object.entries(own).map(([name, version]) => `${name}@${version}`);
  if (named.length === 0) return contenders;
  const folder = mkdtempSync(join(tmpdir(), 'waybill-contenders-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));
  const shared = SHARED.map((name) => [name, { ...devDependencies, ...dependencies }[name]]);
  const manifest = { private: true, type: 'module', dependencies: { ...Object.fromEntries(shared), ...own } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  cpSync(join(here, 'contenders'), join(folder, 'contenders'), { recursive: true });
  say(`Installing ${named.join(', ')} into a temporary folder.`);
  const { status, stderr, error } = spawnSync('npm', NPM_WORDS, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    const titles = contenders.filter(({ packages }) => packages).map(({ title }) => title);
    throw new MissingTool(
      `npm cannot install the packages of ${titles.join(' and ')}. Is its registry reachable? ` +
        `To leave them out, name the others (--only, --contenders). npm says:\n${error?.message ?? firstLines(stderr)}`,
    );
  }
  return contenders.map((one) => (one.packages ? { ...one, program: join(folder, one.program) } : one));
}

function firstLines(text) {
  return text.split('\n', 4).join('\n');
}
