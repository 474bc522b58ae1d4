import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: Buffer;
}

/** A self-signed certificate for this machine. */
export function makeCertificate(folder: string): Certificate {
  const certFile = join(folder, 'tls.crt');
  const keyFile = join(folder, 'tls.key');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  openssl('req', '-x509', '-days', '2', ...subject, ...EC_KEY, '-keyout', keyFile, '-out', certFile);
  return { certFile, keyFile, cert: readFileSync(certFile) };
}

/** A private certificate authority, as database operators and cloud providers have. */
export class Authority {
  readonly file: string;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.file = join(folder, `${name}.crt`);
    const subject = ['-subj', `/CN=${name}`, '-days', '2'];
    openssl('req', '-x509', ...subject, ...EC_KEY, '-keyout', this.keyFile, '-out', this.file);
  }

  /** Issues a certificate for one host. */
  certify(host: string): { certFile: string; keyFile: string } {
    const [certFile, keyFile, request] = ['crt', 'key', 'csr'].map((kind) => join(this.folder, `${host}.${kind}`)) as [
      string,
      string,
      string,
    ];
    const extension = join(this.folder, `${host}.ext`);
    writeFileSync(extension, `subjectAltName=DNS:${host}\n`);
    openssl('req', '-new', '-subj', `/CN=${host}`, ...EC_KEY, '-keyout', keyFile, '-out', request);
    const signedBy = ['-CA', this.file, '-CAkey', this.keyFile, '-CAcreateserial'];
    openssl('x509', '-req', '-in', request, ...signedBy, '-days', '2', '-extfile', extension, '-out', certFile);
    return { certFile, keyFile };
  }

  private get keyFile(): string {
    return join(this.folder, `${this.name}.key`);
  }
}

function openssl(...options: string[]): void {
  execFileSync('openssl', options, { stdio: 'ignore' });
}
