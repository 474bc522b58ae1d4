// Commands on this machine, and folders that hold a Debian.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arch } from 'node:process';

/** The names that Debian and Docker have for the machines that Node.js calls x64 and arm64. */
export const DEBIAN_NAMES = { x64: 'amd64', arm64: 'arm64' };

export class Failure extends Error {}

/** Runs a command whose output matters; a failure is thrown with what it said. */
export function output(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Failure(`${command} ${args.join(' ')}\n${String(error ?? '')}${stdout}${stderr}`.trim());
  return stdout.trim();
}

export class Host {
  constructor(state) {
    this.state = state;
    mkdirSync(join(state, 'log'), { recursive: true });
  }

  path(...parts) {
    return join(this.state, ...parts);
  }

  /** Runs a command that takes a while. Its output goes to a file, whose end is shown when it fails. */
  work(name, command, args, options = {}) {
    const log = this.path('log', name);
    const file = openSync(log, 'w');
    const began = performance.now();
    const { status, error } = spawnSync(command, args, {
      stdio: [options.input ? 'pipe' : 'ignore', file, file],
      ...options,
    });
    closeSync(file);
    if (status !== 0) {
      const said = readFileSync(log, 'utf8').split('\n').slice(-25).join('\n');
      throw new Failure(`${name} failed${error ? `: ${error.message}` : ''}. All of its output: ${log}\n${said}`);
    }
    process.stdout.write(`      ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
    return readFileSync(log, 'utf8');
  }

  /** A Debian of a suite with some packages, in a folder. The bare suite is made once and copied. */
  debian(folder, suite, packages, machine = arch) {
    const bare = this.path(`debian-${suite}-${machine}`);
    if (!existsSync(join(bare, '.complete'))) this.#bootstrap(bare, suite, machine);
    rmSync(folder, { recursive: true, force: true });
    output('cp', '-a', bare, folder);
    for (const file of ['resolv.conf', 'hosts']) cpSync(join('/etc', file), join(folder, 'etc', file));
    // Packages must not start their servers, and PostgreSQL's must not create a cluster.
    writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    mkdirSync(join(folder, 'etc/postgresql-common'), { recursive: true });
    writeFileSync(join(folder, 'etc/postgresql-common/createcluster.conf'), 'create_main_cluster = false\n');
    if (packages.length > 0) this.install(folder, packages);
  }

  install(folder, packages) {
    const install =
      'export DEBIAN_FRONTEND=noninteractive; apt-get -o Acquire::Check-Valid-Until=false update && ' +
      'apt-get install --yes --no-install-recommends -o Dpkg::Options::=--force-confold "$@"';
    const enter = ['--mount', '--pid', '--fork', `--mount-proc=${join(folder, 'proc')}`, 'chroot', folder];
    this.work(`packages ${packages[0]}`, 'unshare', [...enter, 'sh', '-c', install, 'sh', ...packages]);
  }

  #bootstrap(folder, suite, machine) {
    rmSync(folder, { recursive: true, force: true });
    const scripts = '/usr/share/debootstrap/scripts';
    if (!existsSync(scripts)) {
      this.work('debootstrap', 'sh', [
        '-c',
        'apt-get update && apt-get install --yes --no-install-recommends debootstrap',
      ]);
    }
    // A suite that is newer than debootstrap is made like sid.
    const script = [suite, 'sid'].map((name) => join(scripts, name)).find((path) => existsSync(path));
    const options = [`--arch=${DEBIAN_NAMES[machine]}`, '--variant=minbase'];
    // For apt. No packages are added to an emulated Debian, where configuring this one takes minutes.
    if (machine === arch) options.push('--include=ca-certificates');
    options.push(suite, folder, debianMirror(), script);
    this.work(`debian ${suite} ${machine}`, 'debootstrap', options);
    writeFileSync(join(folder, '.complete'), '');
  }
}

/** The mirror that this machine's apt uses. */
function debianMirror() {
  const lines = output('apt-get', 'indextargets', '--format', '$(CREATED_BY) $(REPO_URI)').split('\n');
  const found = lines.find((line) => /^Packages \S+\/debian\/?$/.test(line));
  if (found === undefined) throw new Failure('apt has no Debian mirror: this campaign runs on Debian');
  return found.split(' ')[1];
}

/** Removes what an image does not need, and what would tell where its packages came from. */
export function slim(folder) {
  const unneeded = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'var/cache/apt', 'var/lib/apt/lists'];
  unneeded.push('etc/apt/sources.list', 'etc/apt/sources.list.d', 'usr/sbin/policy-rc.d', '.complete', 'var/log/apt');
  for (const name of unneeded) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of ['resolv.conf', 'hosts']) writeFileSync(join(folder, 'etc', name), '');
}
