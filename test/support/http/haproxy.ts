import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeCertificate, type Certificate } from '../service/certificate.js';
import { eventually } from '../races/eventually.js';
import { findTool } from '../repository/tools.js';
import { accepts, freePort } from './free-port.js';

export interface Address {
  readonly port: number;
  /** Of the health checks; without one, the replica counts as healthy. */
  readonly management?: number;
}

/** HAProxy with deploy/haproxy.cfg; only addresses and files are substituted. */
export class HaProxy {
  /** What it logs. */
  readonly log: string[] = [];

  private constructor(
    readonly port: number,
    readonly certificate: Certificate,
    private readonly process: ChildProcess,
    private readonly healthy: Server,
    private readonly folder: string,
  ) {
    for (const output of [process.stdout, process.stderr]) output?.on('data', (text) => this.log.push(String(text)));
  }

  static async start(replicas: readonly [Address, Address]): Promise<HaProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-haproxy-'));
    const certificate = makeCertificate(folder);
    writeFileSync(join(folder, 'tls.pem'), Buffer.concat([certificate.cert, readFileSync(certificate.keyFile)]));
    const healthPort = await freePort();
    const healthy = createServer((_, response) => response.end()).listen(healthPort, '127.0.0.1');
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    const address = ({ port: own, management = healthPort }: Address) => `127.0.0.1:${own} port ${management}`;
    const places: [string, string][] = [
      ['bind :443 ', `bind 127.0.0.1:${port} `],
      ['/etc/haproxy/tls.pem', join(folder, 'tls.pem')],
      ['abns@waybill-replicas', `abns@${basename(folder)}`],
      ['10.91.7.11:3000', address(replicas[0])],
      ['10.91.7.12:3000', address(replicas[1])],
    ];
    writeFileSync(file, places.reduce(fillIn, readFileSync('deploy/haproxy.cfg', 'utf8')));
    const child = spawn(findTool('haproxy') ?? 'haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    const haproxy = new HaProxy(port, certificate, child, healthy, folder);
    await eventually(() => accepts(port), 10_000, 'HAProxy accepts connections');
    return haproxy;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await gone;
    this.healthy.close();
    this.healthy.closeAllConnections();
    rmSync(this.folder, { recursive: true });
  }
}

/** Every place must exist, or the test would not use the documented configuration. */
function fillIn(text: string, [place, filling]: [string, string]): string {
  if (!text.includes(place)) throw new Error(`deploy/haproxy.cfg has no ${place}`);
  return text.replaceAll(place, filling);
}
