import { SCOPES } from '../auth/scopes.js';
import type { Config } from '../config/config.js';
import { believes } from '../config/cross-checks.js';
import { STATUS_STEPS } from '../model/shipment-status.js';

/** What the console has to know about the configuration. Everybody can read it. */
export function settingsOf(config: Config) {
  const { API_PREFIX, isOpen, DATABASE_URL, JWT_NAME_CLAIM, JWT_SCOPES_CLAIM, SHIPMENT_TYPES } = config;
  const acceptsKeys = believes(config, 'keys');
  return {
    prefix: API_PREFIX,
    needsToken: !isOpen && !believes(config, 'proxy'),
    usesKeys: acceptsKeys && !believes(config, 'jwt') && !believes(config, 'proxy'),
    acceptsKeys,
    nameClaim: JWT_NAME_CLAIM,
    scopesClaim: JWT_SCOPES_CLAIM,
    signIn: signInOf(config),
    // Some providers refuse scopes that nobody has created there.
    scopes: SCOPES.filter((scope) => acceptsKeys || !scope.startsWith('keys:')),
    shipmentTypes: SHIPMENT_TYPES,
    statusSteps: STATUS_STEPS,
    hasEmbeddedDatabase: DATABASE_URL === undefined,
  };
}

function signInOf(config: Config) {
  const { JWT_ISSUER, CONSOLE_CLIENT_ID, CONSOLE_SIGN_IN_PARAMETERS } = config;
  if (CONSOLE_CLIENT_ID === undefined || JWT_ISSUER === undefined) return undefined;
  return { issuer: JWT_ISSUER, clientID: CONSOLE_CLIENT_ID, parameters: CONSOLE_SIGN_IN_PARAMETERS };
}
