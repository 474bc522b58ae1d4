// One container of the image beside the stack, confined as Kubernetes would confine it.
import { arch } from 'node:process';
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
  constructor(world, name, settings = {}) {
    this.world = world;
    this.name = name;
    const { engine, names, machine } = world;
    const variables = Object.entries({ ...SETTINGS, ...settings }).map(
      ([variable, value]) => `--env=${variable}=${value}`,
    );
    engine.run(['docker', 'rm', '--force', '--volumes', name]);
    const patience = machine === arch ? [] : ['--health-start-period=10m', '--health-timeout=60s'];
    const network = ['--network=waybill_default', '--mount=type=tmpfs,destination=/tmp'];
    engine.ask(
      'docker',
      'run',
      '--detach',
      `--name=${name}`,
      ...network,
      ...patience,
      ...CONFINED,
      ...variables,
      names.waybill,
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

  get address() {
    return this.inspect('{{.NetworkSettings.Networks.waybill_default.IPAddress}}');
  }

  get log() {
    return this.world.engine.run(['docker', 'logs', this.name]).said;
  }

  remove() {
    this.world.engine.run(['docker', 'rm', '--force', '--volumes', this.name]);
  }
}
