import { isInstalled } from '@waybill/embedded-postgres';
import type { Config } from './config.js';
import { tlsFault } from './database-url.js';
import { timeoutFaults } from './timeouts.js';
import { isWebUrl } from './variables.js';

/** Faults in combinations of variables that are valid individually. */
export function crossChecks(config: Config): string[] {
  const faults: string[] = [];
  if (config.NODE_ENV === 'production' && config.AUTH_MODE === undefined) {
    faults.push('AUTH_MODE must be set in production: one or more of jwt, keys and proxy; or off to let everybody in');
  }
  faults.push(...modeFaults(config));
  if (believes(config, 'jwt')) {
    if (config.JWT_ISSUER === undefined) faults.push('JWT_ISSUER must be set with AUTH_MODE=jwt');
    if (config.JWT_AUDIENCE === undefined) faults.push('JWT_AUDIENCE must be set with AUTH_MODE=jwt');
    if (config.NODE_ENV === 'production' && config.JWT_JWKS_URL?.startsWith('http:')) {
      faults.push(
        'JWT_JWKS_URL must begin with https:// in production: an attacker who can replace the keys can forge tokens',
      );
    }
    if ((config.JWT_JWKS_URL === undefined) === (config.JWT_PUBLIC_KEY_FILE === undefined)) {
      faults.push('Exactly one of JWT_JWKS_URL and JWT_PUBLIC_KEY_FILE must be set with AUTH_MODE=jwt');
    }
  }
  if (config.DATABASE_URL !== undefined) {
    const fault = tlsFault(config.DATABASE_URL, config.DATABASE_CA_FILE);
    if (fault !== undefined) faults.push(`DATABASE_URL is invalid: ${fault}`);
  }
  if (config.DATABASE_URL === undefined && !isInstalled()) {
    faults.push('DATABASE_URL or DATABASE_URL_FILE must be set: the embedded PostgreSQL is not installed');
  } else if (config.NODE_ENV === 'production' && config.DATABASE_URL === undefined && !config.isEmbedded) {
    // Otherwise a service that has lost its configuration would start with an empty database.
    faults.push(
      'DATABASE_URL must be set in production: the URL of a PostgreSQL server, or embedded to store the data in DATA_DIR',
    );
  }
  const issuer = believes(config, 'jwt') ? (config.JWT_ISSUER ?? '') : '';
  if (config.CONSOLE_CLIENT_ID !== undefined && !isWebUrl(issuer)) {
    faults.push('CONSOLE_CLIENT_ID requires AUTH_MODE=jwt and a JWT_ISSUER that is a URL');
  }
  faults.push(...timeoutFaults(config));
  return config.NODE_ENV === 'production' ? [...faults, ...placeholders(config)] : faults;
}

/** Whether callers may prove who they are in this way. */
export function believes({ AUTH_MODE }: Pick<Config, 'AUTH_MODE'>, mode: 'jwt' | 'keys' | 'proxy'): boolean {
  return AUTH_MODE?.includes(mode) === true;
}

function modeFaults({ AUTH_MODE = [], AUTH_PROXY_SUBJECT_HEADER, TRUSTED_PROXIES }: Config): string[] {
  const faults: string[] = [];
  if (AUTH_MODE.includes('off') && AUTH_MODE.length > 1) {
    faults.push('AUTH_MODE must not combine off with another mode: off lets everybody in');
  }
  if (believes({ AUTH_MODE }, 'proxy')) {
    if (AUTH_PROXY_SUBJECT_HEADER === undefined) {
      faults.push('AUTH_PROXY_SUBJECT_HEADER must be set with AUTH_MODE=proxy');
    }
    if (TRUSTED_PROXIES === undefined) {
      faults.push('TRUSTED_PROXIES must name the authenticating proxy with AUTH_MODE=proxy');
    }
  }
  return faults;
}

/** Names that are reserved for examples (RFC 2606). */
const EXAMPLE_HOST = /(^|\.)(example|example\.(com|net|org)|invalid)$/;

/** Values that were copied from an example. Each would otherwise only be noticed by the first request that needs it. */
function placeholders(config: Config): string[] {
  const { DATABASE_URL, PUBLIC_URL, CORS_ORIGINS = [], JWT_ISSUER, JWT_JWKS_URL } = config;
  const addresses: Record<string, readonly (string | undefined)[]> = {
    DATABASE_URL: [DATABASE_URL],
    PUBLIC_URL: [PUBLIC_URL],
    CORS_ORIGINS,
    ...(believes(config, 'jwt') && { JWT_ISSUER: [JWT_ISSUER], JWT_JWKS_URL: [JWT_JWKS_URL] }),
  };
  return Object.entries(addresses).flatMap(([name, values]) =>
    values
      .map((value = '') => (URL.canParse(value) ? new URL(value).hostname : ''))
      .filter((host) => EXAMPLE_HOST.test(host))
      .map((host) => `${name} still names a host that is reserved for examples: ${host}`),
  );
}

export function warningsOf(config: Config, listening: string): string[] {
  if (believes(config, 'proxy') && config.AUTH_PROXY_SCOPES_HEADER === undefined) {
    return [
      'AUTH_PROXY_SCOPES_HEADER is not set: everybody whom the authenticating proxy lets in can read and change every record.',
    ];
  }
  if (!config.isOpen) return [];
  if (config.NODE_ENV !== 'production' && isLoopback(new URL(listening).hostname)) return [];
  return [
    `AUTH_MODE is off and the service listens on ${listening}: anyone who can reach that address can read and change every record. ` +
      'Set AUTH_MODE to keys or jwt, or HOST=127.0.0.1 to accept local connections only.',
  ];
}

/** For the host name of a URL, which is normalized. */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
