/** What libpq, PostgreSQL's own client library, knows as sslmode. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** As `sslrootcert`, the authorities that the system trusts; here, those that Node.js trusts. */
const SYSTEM_CERTIFICATES = 'system';

/** What a database URL says about TLS, as libpq reads it. */
interface DatabaseTls {
  /** As it is written, so that it may be no mode at all. */
  readonly mode: string;
  /** A file with certificate authorities, or `system`. */
  readonly rootCertificates: string | undefined;
}

/**
 * Without an `sslmode`, libpq prefers TLS and takes a server that has none. But somebody who names a certificate authority wants it
 * to be used, and the driver's own `ssl=true` has always meant that the server is verified.
 */
function tlsOf(url: string, caFile: string | undefined): DatabaseTls {
  const parameters = parametersOf(url);
  const isTrusting = caFile === undefined && !/^(true|1)$/.test(parameters.get('ssl') ?? '');
  return {
    mode: parameters.get('sslmode') ?? process.env['PGSSLMODE'] ?? (isTrusting ? 'prefer' : 'verify-full'),
    rootCertificates: caFile ?? parameters.get('sslrootcert') ?? undefined,
  };
}

/** Says in a URL what it means to libpq, in a way that node-postgres, whose modes mean other things, reads alike. */
export function libpqUrl(url: string, caFile?: string): string {
  const { mode, rootCertificates } = tlsOf(url, caFile);
  return withParameters(url, {
    uselibpqcompat: 'true',
    ssl: undefined,
    // There is no TLS on unix sockets, whatever the mode.
    sslmode: isSocket(url) ? 'disable' : mode,
    sslrootcert: rootCertificates === SYSTEM_CERTIFICATES ? undefined : rootCertificates,
  });
}

export function withParameters(url: string, changes: Record<string, string | undefined>): string {
  const parameters = parametersOf(url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${url.split('?', 1)[0] ?? ''}?${String(parameters)}`;
}

/** What keeps libpq from using a URL; undefined when nothing does. */
export function tlsFault(url: string, caFile: string | undefined): string | undefined {
  const { mode, rootCertificates } = tlsOf(url, caFile);
  if (!SSL_MODES.some((known) => known === mode)) return `sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (isSocket(url)) return undefined;
  if (rootCertificates === SYSTEM_CERTIFICATES && mode !== 'verify-full') {
    return 'sslrootcert=system needs sslmode=verify-full: anybody can get a certificate from a public authority';
  }
  if (mode === 'verify-ca' && rootCertificates === undefined) {
    return 'sslmode=verify-ca needs an authority: set DATABASE_CA_FILE, or sslrootcert in DATABASE_URL';
  }
  if (caFile !== undefined && ['disable', 'allow', 'prefer'].includes(mode)) {
    return `sslmode=${mode} does not verify the server: with DATABASE_CA_FILE, use verify-full, verify-ca or require`;
  }
  return undefined;
}

export function parametersOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
}

/** A URL whose files the driver can be asked to read, whatever its mode. */
export function withoutTls(url: string): string {
  const { rootCertificates } = tlsOf(url, undefined);
  return withParameters(url, {
    sslmode: undefined,
    sslrootcert: rootCertificates === SYSTEM_CERTIFICATES ? undefined : rootCertificates,
  });
}

function isSocket(url: string): boolean {
  return parametersOf(url).get('host')?.startsWith('/') ?? /^\w+:\/\/([^/]*@)?%2f/i.test(url);
}
