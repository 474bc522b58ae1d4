// One container of the image beside the stack, confined as Kubernetes would confine it.
import { NETWORK } from './engine.mjs';
import { until } from './requests.mjs';

const CONFINED = [
  '--user=1000:1000',
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--memory=384m',
];

const SETTINGS = {
  AUTH_MODE: 'off',
  MIGRATE_ON_START: 'off',
  MANAGEMENT_PORT: '9000',
  DATABASE_URL: 'postgresql://waybill_service:waybill_service@database:5432/waybill',
};

export class Container {
  /** `command` runs instead of the service. */
  constructor(world, name, settings = {}, command = []) {
    this.world = world;
    this.name = name;
    const { engine, names, isEmulated } = world;
    const variables = Object.entries({ ...SETTINGS, ...settings }).map(
      ([variable, value]) => `--env=${variable}=${value}`,
    );
    const patience = isEmulated ? ['--health-start-period=10m', '--health-timeout=60s'] : [];
    const ports = ['--publish=127.0.0.1::3000', '--publish=127.0.0.1::9000'];
    const options = [`--name=${name}`, `--network=${NETWORK}`, '--mount=type=tmpfs,destination=/tmp', ...ports];
    this.remove();
    engine.ask(
      'docker',
      'run',
      '--detach',
      ...options,
      ...patience,
      ...CONFINED,
      ...variables,
      names.waybill,
      ...command,
    );
  }

  inspect(format) {
    return this.world.engine.ask('docker', 'inspect', '--format', format, this.name);
  }

  exec(script) {
    return this.world.engine.run(['docker', 'exec', this.name, 'sh', '-c', script]).stdout;
  }

  untilHealthy() {
    return until(() => this.inspect('{{.State.Health.Status}}') === 'healthy', 600);
  }

  /** Under a name that the service answers to without authentication. */
  url(port) {
    const [published] = this.world.engine.ask('docker', 'port', this.name, String(port)).split('\n');
    return `http://localhost:${published.split(':').at(-1)}`;
  }

  get log() {
    return this.world.engine.run(['docker', 'logs', this.name]).said;
  }

  remove() {
    this.world.engine.run(['docker', 'rm', '--force', '--volumes', this.name]);
  }
}
