import type { Config } from './config.js';
import { tlsFault } from './database-url.js';
import { isWebUrl } from './variables.js';

/** Faults in combinations of variables that are valid individually. */
export function crossChecks(config: Config): string[] {
  const faults: string[] = [];
  if (config.NODE_ENV === 'production' && config.AUTH_MODE === undefined) {
    faults.push(
      'AUTH_MODE must be set in production: jwt, or off if a proxy in front of the service authenticates callers',
    );
  }
  if (config.AUTH_MODE === 'jwt') {
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
  const issuer = config.AUTH_MODE === 'jwt' ? (config.JWT_ISSUER ?? '') : '';
  if (config.CONSOLE_CLIENT_ID !== undefined && !isWebUrl(issuer)) {
    faults.push('CONSOLE_CLIENT_ID requires AUTH_MODE=jwt and a JWT_ISSUER that is a URL');
  }
  if ((config.TLS_CERT_FILE === undefined) !== (config.TLS_KEY_FILE === undefined)) {
    faults.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together');
  }
  return faults;
}
