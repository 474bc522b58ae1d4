import { createPublicKey, randomUUID, X509Certificate, type KeyObject } from 'node:crypto';
import { closeSync, openSync, readFileSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.js';
import { believes } from './cross-checks.js';

/** Faults in the files that variables name: unreadable, invalid, or a key that is too weak. */
export function faultsInFiles(config: Config): string[] {
  const faults: string[] = [];
  const load = <Content>(
    name: 'JWT_PUBLIC_KEY_FILE' | 'DATABASE_CA_FILE',
    expected: string,
    parse: (pem: Buffer) => Content,
  ): Content | undefined => {
    const file = config[name];
    if (file === undefined) return undefined;
    try {
      const pem = readNamedFile(name, file);
      return attempt(() => parse(pem), `${name} must name a PEM file with ${expected}, but ${file} contains none`);
    } catch (error) {
      faults.push((error as Error).message);
      return undefined;
    }
  };
  load('DATABASE_CA_FILE', 'CA certificates', (pem) => new X509Certificate(pem));
  if (believes(config, 'jwt')) {
    const publicKey = load('JWT_PUBLIC_KEY_FILE', 'a public key', createPublicKey);
    if (publicKey !== undefined && isWeak(publicKey)) {
      faults.push(`JWT_PUBLIC_KEY_FILE must not name an RSA key with fewer than ${MIN_RSA_BITS} bits`);
    }
  }
  return faults;
}

/** Required for RS256 and PS256 by RFC 7518, sections 3.3 and 3.5. */
const MIN_RSA_BITS = 2048;

export function isWeak({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType?.startsWith('rsa') === true && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS;
}

/** Replaces OpenSSL's cryptic messages, e.g. "DECODER routines::unsupported". */
function attempt<Result>(work: () => Result, fault: string): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(fault, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

/** Reads the file that a variable names. The message of the error is a fault of the configuration. */
export function readNamedFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${variable} names a file that cannot be read: ${file} (${REASONS[code] ?? message})`, {
      cause: error,
    });
  }
}

/** Imported files are stored in the temporary folder. A container with a read-only root file system has none unless one is mounted. */
export function temporaryFolderFaults(): string[] {
  const path = join(tmpdir(), `waybill-${randomUUID()}`);
  try {
    closeSync(openSync(path, 'wx', 0o600));
    unlinkSync(path);
    return [];
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return [`The temporary folder ${tmpdir()} must be writable (${code}): mount one there, or set TMPDIR to another`];
  }
}
