import type { Environment } from './environment.js';

const LOOPBACK = '127.0.0.1';
const EVERY_INTERFACE = '0.0.0.0';

/** Defaults that depend on other variables. */
export interface DerivedDefaults {
  readonly HOST: string;
  readonly DRAIN_DELAY_MS: number;
}

export function derivedDefaults(config: Environment): DerivedDefaults {
  const isProduction = config.NODE_ENV === 'production';
  return {
    // Without authentication, only local clients may connect by default.
    HOST: config.HOST ?? (isProduction || config.AUTH_MODE === 'jwt' ? EVERY_INTERFACE : LOOPBACK),
    // In development there is no load balancer to drain, and Ctrl-C should stop the service at once.
    DRAIN_DELAY_MS: config.DRAIN_DELAY_MS ?? (isProduction ? 5000 : 0),
  };
}
