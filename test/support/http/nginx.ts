import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate, type Certificate } from '../service/certificate.js';
import { eventually } from '../races/eventually.js';
import { accepts, freePort } from './free-port.js';
import { findTool } from '../repository/tools.js';

/** nginx with the deployed configuration; only addresses and files are substituted. */
export class Nginx {
  /** Its error log. */
  readonly complaints: string[] = [];

  private constructor(
    readonly port: number,
    readonly certificate: Certificate,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {
    process.stderr?.on('data', (text: Buffer) => this.complaints.push(String(text)));
  }

  /** `lines` are added to its server; `edit` changes the whole file. */
  static async start(
    replicas: readonly [number, number],
    lines = '',
    edit = (configuration: string) => configuration,
  ): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-nginx-'));
    // Its workers do not run as root.
    chmodSync(folder, 0o755);
    const certificate = makeCertificate(folder);
    const port = await freePort();
    const file = join(folder, 'nginx.conf');
    const configuration = edit(readFileSync('deploy/nginx.conf', 'utf8')).replace(
      'server {\n    listen',
      `server {\n${lines}\n    listen`,
    );
    writeFileSync(file, fillIn(configuration, { replicas, port, certificate, folder }));
    const options = ['-c', file, '-p', folder, '-g', 'daemon off;'];
    const child = spawn(findTool('nginx') ?? 'nginx', options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const nginx = new Nginx(port, certificate, child, folder);
    await eventually(() => accepts(port), 10_000, 'nginx accepts connections');
    return nginx;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Filling {
  readonly replicas: readonly [number, number];
  readonly port: number;
  readonly certificate: Certificate;
  readonly folder: string;
}

/** Every placeholder must exist, or the test would not use the deployed configuration. */
function fillIn(configuration: string, { replicas, port, certificate, folder }: Filling): string {
  const places: [string, string][] = [
    ['10.91.7.11:3000', `127.0.0.1:${replicas[0]}`],
    ['10.91.7.12:3000', `127.0.0.1:${replicas[1]}`],
    // nginx before 1.25.1, such as Debian's, spells it the old way.
    ['http2 on;', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl http2`],
    ['/etc/nginx/tls/tls.crt', certificate.certFile],
    ['/etc/nginx/tls/tls.key', certificate.keyFile],
    ['/dev/stderr', 'stderr'],
    ['/dev/stdout', join(folder, 'access.log')],
    ['/tmp/nginx', join(folder, 'nginx')],
  ];
  return places.reduce((text, [place, filling]) => {
    if (!text.includes(place)) throw new Error(`deploy/nginx.conf has no ${place}`);
    return text.replaceAll(place, filling);
  }, configuration);
}
