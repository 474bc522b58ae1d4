import type { Request } from 'express';
import type { Config } from '../config/config.js';
import type { Caller } from '../http/request-context.js';
import { Problem } from '../problem/problem.js';
import { isCrossSiteWrite } from './cross-site.js';
import { SCOPES } from './scopes.js';
import { isNameable, isSubject } from './subjects.js';
import { unauthenticated } from './unauthenticated.js';

/** Express: whether the address of a connection is one of TRUSTED_PROXIES. */
type IsTrusted = (address: string | undefined, hop: number) => boolean;

/** Believes an authenticating proxy about who calls. Only the connection counts: requests from elsewhere are refused. */
export class ProxyVerifier {
  constructor(private readonly config: Config) {}

  verify(request: Request): Caller {
    const isTrusted = request.app.get('trust proxy fn') as IsTrusted;
    if (!isTrusted(request.socket.remoteAddress, 0)) {
      throw unauthenticated('The request has no token and does not come from the authenticating proxy.');
    }
    if (isCrossSiteWrite(request, this.config)) {
      throw new Problem(
        'FORBIDDEN',
        'A page of another site has sent this request. Add its origin to CORS_ORIGINS if it may.',
      );
    }
    const { AUTH_PROXY_SUBJECT_HEADER, AUTH_PROXY_NAME_HEADER, AUTH_PROXY_SCOPES_HEADER } = this.config;
    const subject = textIn(request, AUTH_PROXY_SUBJECT_HEADER);
    if (!isSubject(subject)) throw unauthenticated('The authenticating proxy named no caller, or no valid one.');
    const name = textIn(request, AUTH_PROXY_NAME_HEADER);
    const scopes = textIn(request, AUTH_PROXY_SCOPES_HEADER) ?? '';
    return {
      subject,
      name: isNameable(name) ? name : undefined,
      scopes: new Set(AUTH_PROXY_SCOPES_HEADER === undefined ? SCOPES : scopes.split(/[ ,]+/)),
      // Known to the proxy alone.
      expiresAt: Infinity,
    };
  }
}

/** Undefined if the header is missing, repeated or not in UTF-8: a client may have added one to that of the proxy. */
function textIn({ headersDistinct }: Request, name: string | undefined): string | undefined {
  const [sent, ...others] = (name === undefined ? undefined : headersDistinct[name]) ?? [];
  if (sent === undefined || others.length > 0) return undefined;
  try {
    // Node.js reads headers as Latin-1.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sent, 'latin1'));
  } catch {
    return undefined;
  }
}
