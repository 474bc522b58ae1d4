/** The values of sslmode in libpq, PostgreSQL's client library. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/**
 * The TLS settings of a database URL, as libpq reads them: its mode, which may be invalid, and a file with certificate authorities, or
 * those of the system (here, those of Node.js). Without an `sslmode`, libpq prefers TLS but accepts a server without it. With a
 * certificate authority or the driver's `ssl=true`, the default is to verify the server.
 */
function tlsOf(url: string, caFile: string | undefined) {
  const parameters = parametersOf(url);
  const root = caFile ?? parameters.get('sslrootcert') ?? undefined;
  const isTrusting = caFile === undefined && !/^(true|1)$/.test(parameters.get('ssl') ?? '');
  return {
    mode: parameters.get('sslmode') ?? process.env['PGSSLMODE'] ?? (isTrusting ? 'prefer' : 'verify-full'),
    trustsSystem: root === 'system',
    rootFile: root === 'system' ? undefined : root,
  };
}

/** Translates the TLS parameters of a URL from libpq's meaning to node-postgres's. */
export function libpqUrl(url: string, caFile?: string): string {
  const { mode, rootFile } = tlsOf(url, caFile);
  return withParameters(url, {
    uselibpqcompat: 'true',
    ssl: undefined,
    // Unix sockets never use TLS.
    sslmode: isSocket(url) ? 'disable' : mode,
    sslrootcert: rootFile,
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

/** Why libpq would reject a URL; undefined if it is valid. */
export function tlsFault(url: string, caFile: string | undefined): string | undefined {
  const { mode, trustsSystem, rootFile } = tlsOf(url, caFile);
  if (!SSL_MODES.some((known) => known === mode)) return `sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (isSocket(url)) return undefined;
  if (trustsSystem && mode !== 'verify-full') {
    return 'sslrootcert=system requires sslmode=verify-full: anyone can get a certificate from a public authority';
  }
  if (mode === 'verify-ca' && rootFile === undefined) {
    return 'sslmode=verify-ca requires a certificate authority: set DATABASE_CA_FILE, or sslrootcert in DATABASE_URL';
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

/** A URL that the driver can parse, whatever its sslmode; the driver reads its certificate files. */
export function withoutTls(url: string): string {
  return withParameters(url, { sslmode: undefined, sslrootcert: tlsOf(url, undefined).rootFile });
}

function isSocket(url: string): boolean {
  return parametersOf(url).get('host')?.startsWith('/') ?? /^\w+:\/\/([^/]*@)?%2f/i.test(url);
}
