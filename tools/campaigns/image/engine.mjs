// A Docker Engine out of Debian packages, in a folder of its own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, output } from './host.mjs';

const PACKAGES = ['docker.io', 'docker-cli', 'docker-compose', 'buildah', 'netavark', 'iptables', 'ca-certificates'];

/** The engine's own bridge. Containers of the compose file are in the network that the file names. */
const BRIDGE = '10.91.9.1/24';

/**
 * The engine gets a mount namespace whose root is the folder. With a chroot, `docker exec` and health checks would run in the root of
 * this machine instead.
 */
const ENTER = `set -e
root=$1 state=$2 checkout=$3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount --bind "$checkout" "$root/checkout"
mount -o remount,bind,ro "$root/checkout"
mount --bind "$state/build" "$root/build"
echo $$ > "$state/engine.pid"
cd "$root"
pivot_root . old
umount -l /old
cd /
exec dockerd --bip ${BRIDGE} --pidfile /run/dockerd.pid`;

export class Engine {
  constructor(host, checkout, port) {
    this.host = host;
    this.checkout = checkout;
    this.port = port;
    this.root = host.path('engine');
    this.pidFile = host.path('engine.pid');
    this.mounted = host.path('engine.checkout');
    this.composeFiles = ['docker-compose.yml'];
  }

  install() {
    if (existsSync(join(this.root, '.complete-engine'))) return;
    this.host.debian(this.root, 'trixie', PACKAGES);
    writeFileSync(join(this.root, '.complete-engine'), '');
  }

  get pid() {
    if (!existsSync(this.pidFile)) return undefined;
    const pid = readFileSync(this.pidFile, 'utf8').trim();
    const comm = `/proc/${pid}/comm`;
    return existsSync(comm) && readFileSync(comm, 'utf8').includes('dockerd') ? pid : undefined;
  }

  async start() {
    if (this.pid !== undefined) {
      if (readFileSync(this.mounted, 'utf8') === this.checkout) return;
      await this.stop();
    }
    for (const name of ['checkout', 'old', 'build']) mkdirSync(join(this.root, name), { recursive: true });
    mkdirSync(this.host.path('build'), { recursive: true });
    const log = openSync(this.host.path('log', 'dockerd'), 'w');
    const words = [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      ENTER,
      'sh',
      this.root,
      this.host.state,
      this.checkout,
    ];
    spawn('unshare', words, { detached: true, stdio: ['ignore', log, log] }).unref();
    for (let tries = 0; tries < 120; tries += 1) {
      await sleep(500);
      if (this.pid !== undefined && this.run(['docker', 'version']).status === 0) {
        writeFileSync(this.mounted, this.checkout);
        return;
      }
    }
    throw new Failure(`The engine does not start: ${this.host.path('log', 'dockerd')}`);
  }

  async stop() {
    const { pid } = this;
    if (pid === undefined) return;
    this.run(['docker', 'compose', '--profile', '*', 'down', '--volumes', '--timeout', '10']);
    process.kill(Number(pid));
    while (existsSync(`/proc/${pid}`)) await sleep(200);
    rmSync(this.pidFile);
    const bridge = spawnSync('ip', ['-brief', 'address', 'show', 'docker0'], { encoding: 'utf8' });
    if (bridge.stdout?.includes(BRIDGE)) spawnSync('ip', ['link', 'delete', 'docker0']);
  }

  #enter(words, environment) {
    const variables = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      HTTPS_PORT: String(this.port),
      COMPOSE_PROJECT_NAME: 'waybill',
      COMPOSE_FILE: this.composeFiles.join(':'),
      COMPOSE_ANSI: 'never',
      COMPOSE_PROGRESS: 'plain',
      AUTH_MODE: 'off',
      ...environment,
    };
    const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const inside = ['env', '-i', ...assignments, 'sh', '-c', 'cd /checkout && exec "$@"', 'sh', ...words];
    return ['--target', String(this.pid), '--mount', '--root', '--', ...inside];
  }

  /** Runs a command beside the engine, in the checkout. */
  run(words, { environment, ...options } = {}) {
    const found = spawnSync('nsenter', this.#enter(words, environment), {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      ...options,
    });
    return {
      status: found.status,
      said: `${found.stdout ?? ''}${found.stderr ?? ''}`,
      stdout: (found.stdout ?? '').trim(),
    };
  }

  /** Its output; a failure is thrown. */
  ask(...words) {
    return output('nsenter', ...this.#enter(words));
  }

  /** For commands that take a while. */
  work(name, words, { environment, ...options } = {}) {
    return this.host.work(name, 'nsenter', this.#enter(words, environment), options);
  }

  /** In the background; resolves with its exit status. */
  begin(words) {
    const child = spawn('nsenter', this.#enter(words), { stdio: 'ignore' });
    return new Promise((resolve) => child.once('exit', resolve));
  }
}
