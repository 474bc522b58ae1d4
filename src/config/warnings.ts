import type { Config } from './config.js';

/** What an operator should know about a configuration that is valid but risky; logged at the start. */
export function warningsOf(config: Config): string[] {
  if (config.AUTH_MODE === 'jwt') return [];
  if (config.NODE_ENV !== 'production' && isLoopback(config.HOST)) return [];
  return [
    `AUTH_MODE is off and the service listens on ${config.HOST}: everybody who can reach that address may read and change every record. ` +
      'Set AUTH_MODE=jwt, or HOST=127.0.0.1 to serve this machine alone.',
  ];
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}
