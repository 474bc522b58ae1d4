import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { Config } from './config.js';
import { isWeak, MIN_RSA_BITS } from './weak-keys.js';
import { readNamedFile } from './read-named-file.js';

/** What is wrong with the files that variables name: unreadable, not what they should be, or not made for each other. */
export function faultsInFiles(config: Config): string[] {
  const faults: string[] = [];
  const load = <Content>(
    name: 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'JWT_PUBLIC_KEY_FILE' | 'DATABASE_CA_FILE',
    expected: string,
    parse: (pem: Buffer) => Content,
  ): Content | undefined => {
    const file = config[name];
    if (file === undefined) return undefined;
    try {
      const pem = readNamedFile(name, file);
      return attempt(() => parse(pem), `${name} must name a PEM file with ${expected}, but ${file} holds none`);
    } catch (error) {
      faults.push((error as Error).message);
      return undefined;
    }
  };
  load('DATABASE_CA_FILE', 'certificates of authorities', (pem) => new X509Certificate(pem));
  const certificate = load('TLS_CERT_FILE', 'a certificate', (pem) => new X509Certificate(pem));
  const key = load('TLS_KEY_FILE', 'a private key without passphrase', createPrivateKey);
  if (certificate !== undefined && key !== undefined && !certificate.checkPrivateKey(key)) {
    faults.push('TLS_KEY_FILE is not the private key of the certificate in TLS_CERT_FILE');
  }
  if (config.AUTH_MODE === 'jwt') {
    const publicKey = load('JWT_PUBLIC_KEY_FILE', 'a public key', createPublicKey);
    if (publicKey !== undefined && isWeak(publicKey)) {
      faults.push(`JWT_PUBLIC_KEY_FILE must not name an RSA key of fewer than ${MIN_RSA_BITS} bits`);
    }
  }
  return faults;
}

/** OpenSSL's own words ("DECODER routines::unsupported") help nobody. */
function attempt<Result>(work: () => Result, fault: string): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(fault, { cause: error });
  }
}
