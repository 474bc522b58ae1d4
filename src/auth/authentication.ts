import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { believes } from '../config/cross-checks.js';
import type { Database } from '../database/database.js';
import { contextOf, type Caller } from '../http/request-context.js';
import { Problem } from '../problem/problem.js';
import { CreatorScopes } from './creator-scopes.js';
import { KEY_PREFIX } from './key-text.js';
import { KeyVerifier, type RejectedKeys } from './key-verifier.js';
import { KeyWatch } from './key-watch.js';
import { ProxyVerifier } from './proxy-verifier.js';
import { TokenVerifier } from './token-verifier.js';
import { REALM, unauthenticated } from './unauthenticated.js';

/** Establishes who calls, by the credentials that AUTH_MODE accepts: the only place that does, unless it is off. */
export class Authentication {
  private readonly tokens: TokenVerifier | undefined;
  private readonly keys: KeyVerifier | undefined;
  private readonly proxy: ProxyVerifier | undefined;
  private readonly creators: CreatorScopes | undefined;

  constructor(config: Config, database: Database, reader: Pick<Database, 'query'>) {
    if (believes(config, 'jwt')) this.tokens = new TokenVerifier(config);
    if (believes(config, 'keys')) {
      this.keys = new KeyVerifier(database, new KeyWatch(reader));
      this.creators = new CreatorScopes(database);
    }
    if (believes(config, 'proxy')) this.proxy = new ProxyVerifier(config);
  }

  /** The number of rejected keys since the start, by reason; undefined if no keys are accepted. */
  get rejectedKeys(): RejectedKeys | undefined {
    return this.keys?.rejected;
  }

  /** Why no token can be verified; undefined if tokens can be. */
  async fault(): Promise<string | undefined> {
    return this.tokens?.fault();
  }

  /** Checks the credentials before anything else, except for public paths; 401 if they are missing or invalid. */
  handler(isPublic: (path: string) => boolean): RequestHandler {
    return async (request, _, next) => {
      if (!isPublic(request.path)) {
        const caller = await this.callerOf(request);
        contextOf(request).caller = caller;
        // The scopes of a key are in the database.
        if (caller.keyName === undefined) this.creators?.see(caller);
      }
      next();
    };
  }

  private async callerOf(request: Request): Promise<Caller> {
    const { tokens, keys, proxy } = this;
    const { authorization } = request.headers;
    // A proxy may send credentials of its own along, which mean nothing here unless tokens or keys are accepted.
    if (proxy !== undefined && (authorization === undefined || (tokens ?? keys) === undefined)) {
      return proxy.verify(request);
    }
    const token = tokenIn(authorization);
    if (keys !== undefined && (tokens === undefined || token.startsWith(KEY_PREFIX))) return keys.verify(token);
    if (tokens === undefined) throw new Error('No credentials are accepted');
    return tokens.verify(token);
  }
}

function tokenIn(authorization: string | undefined): string {
  if (authorization === undefined) {
    const detail = 'The request has no token. Send one in the header "Authorization: Bearer <ACCESS_TOKEN>".';
    throw new Problem('UNAUTHENTICATED', detail, { headers: { 'WWW-Authenticate': REALM } });
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined)
    throw unauthenticated('The Authorization header must have the form "Bearer <ACCESS_TOKEN>".');
  return token;
}
