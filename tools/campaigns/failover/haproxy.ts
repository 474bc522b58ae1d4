import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../../test/support/races/eventually.js';
import { freePort } from '../../../test/support/http/free-port.js';
import type { Node } from './node.js';
import { Program } from './processes.js';

/** The one address of the primary: leads to the node whose Patroni says that it holds the lease, and ends connections to any other. */
export class HaProxy {
  private constructor(
    readonly port: number,
    private readonly program: Program,
  ) {}

  static async start(folder: string, nodes: readonly Node[]): Promise<HaProxy> {
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration(port, nodes), { mode: 0o644 });
    const program = Program.start('haproxy', ['-db', '-f', file], join(folder, 'haproxy.log'));
    await eventually(() => program.isRunning, 5000, 'HAProxy runs');
    return new HaProxy(port, program);
  }

  async stop(): Promise<void> {
    await this.program.end('SIGKILL');
  }
}

function configuration(port: number, nodes: readonly Node[]): string {
  return `global
  maxconn 500
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgres, rest }) => `  server ${name} 127.0.0.1:${postgres.port} maxconn 200 check port ${rest.port}`).join('\n')}
`;
}
