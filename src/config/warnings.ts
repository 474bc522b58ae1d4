import type { Config } from './config.js';

/** Log warnings for a configuration that is valid but risky. */
export function warningsOf(config: Pick<Config, 'AUTH_MODE' | 'NODE_ENV'>, listening: string): string[] {
  if (config.AUTH_MODE === 'jwt') return [];
  if (config.NODE_ENV !== 'production' && isLoopback(new URL(listening).hostname)) return [];
  return [
    `AUTH_MODE is off and the service listens on ${listening}: anyone who can reach that address can read and change every record. ` +
      'Set AUTH_MODE=jwt, or HOST=127.0.0.1 to accept local connections only.',
  ];
}

function isLoopback(hostname: string): boolean {
  return /^(127(\.\d+){3}|\[::1\])$/.test(hostname);
}
