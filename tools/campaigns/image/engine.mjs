// Commands with the Docker Engine that DOCKER_HOST or the default socket offers, in the checkout.
import { spawn, spawnSync } from 'node:child_process';

export class Failure extends Error {}

/** Not the project of the compose file, so that the data of a stack that runs already is safe. */
const PROJECT = 'waybill-campaign';
export const NETWORK = `${PROJECT}_default`;

export class Engine {
  constructor(port, composeFiles) {
    this.environment = {
      ...process.env,
      COMPOSE_PROJECT_NAME: PROJECT,
      COMPOSE_FILE: composeFiles.join(':'),
      COMPOSE_ANSI: 'never',
      COMPOSE_PROGRESS: 'plain',
      HTTPS_PORT: port,
      AUTH_MODE: 'off',
    };
  }

  run([command, ...args], options = {}) {
    const found = spawnSync(command, args, {
      env: this.environment,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      ...options,
    });
    const said = `${String(found.error ?? '')}${found.stdout ?? ''}${found.stderr ?? ''}`;
    return { status: found.status, said, stdout: (found.stdout ?? '').trim() };
  }

  /** Its output; a failure is thrown. */
  ask(...words) {
    const { status, said, stdout } = this.run(words);
    if (status !== 0) throw new Failure(`${words.join(' ')}\n${said.split('\n').slice(-25).join('\n')}`);
    return stdout;
  }

  /** A command that takes a while. Returns all that it said. */
  work(name, words) {
    const began = performance.now();
    const { status, said } = this.run(words);
    if (status !== 0) throw new Failure(`${name} failed.\n${said.split('\n').slice(-25).join('\n')}`);
    process.stdout.write(`      ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
    return said;
  }

  up(name = 'up-again') {
    this.work(name, UP);
  }

  /** In the background; resolves with its exit status. */
  begin([command, ...args]) {
    const child = spawn(command, args, { env: this.environment, stdio: 'ignore' });
    return new Promise((resolve) => child.once('exit', resolve));
  }

  sql(statement) {
    const psql = ['psql', '--username=waybill', '--no-align', '--tuples-only', `--command=${statement}`];
    return this.ask('docker', 'compose', 'exec', '-T', 'database', ...psql);
  }
}

export const UP = ['docker', 'compose', 'up', '--detach', '--wait', '--no-build'];
