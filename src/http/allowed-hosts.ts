import { isLoopback } from '../config/cross-checks.js';
import { Problem } from '../problem/problem.js';
import type { BeforeRouting } from './request-head.js';

/**
 * For a service without authentication: 421 unless the Host is a loopback name or the host of PUBLIC_URL. Otherwise a web page could
 * point its own name at 127.0.0.1 (DNS rebinding) and use the service through the visitor's browser.
 *
 * The port is irrelevant: such a page sends its own host name with any port. A request without a Host is allowed, because browsers
 * always send one; `checkRequestHead` accepts it for HTTP/1.0 only.
 */
export function allowedHosts(publicUrl: string | undefined, isExempt: (path: string) => boolean): BeforeRouting {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return (request) => {
    const { host } = request.headers;
    if (host === undefined || isExempt(request.path)) return;
    const url = `http://${host}/`;
    const isValid = !/[/?#@\\\s]/.test(host) && URL.canParse(url);
    const name = isValid ? new URL(url).hostname.replace(/\.$/, '') : '';
    if (isLoopback(name) || name === publicHost) return;
    throw new Problem(
      'MISDIRECTED_REQUEST',
      'Without authentication, the service accepts only requests to localhost, to a loopback address, or to the host of PUBLIC_URL.',
    );
  };
}
