import { isIPv4 } from 'node:net';
import { Problem } from '../problem/problem.js';
import type { Preparation } from './preparation.js';

/**
 * For a service without authentication: 421 unless the request is addressed to a loopback name or to the host of PUBLIC_URL. Otherwise
 * a web page could point its own name at 127.0.0.1 (DNS rebinding) and use the service through the browser of anyone who opens the page.
 *
 * The port does not matter: the Host of such a page is its own name, whatever the port. A request without a Host passes, because no
 * browser sends one; `checkRequestHead` accepts it with HTTP/1.0 only.
 */
export function allowedHosts(publicUrl: string | undefined, isExempt: (path: string) => boolean): Preparation {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  return (request) => {
    const { host } = request.headers;
    if (host === undefined || isExempt(request.path)) return;
    const name = nameOf(host);
    if (name !== undefined && (isLoopback(name) || name === publicHost)) return;
    throw new Problem(
      'MISDIRECTED_REQUEST',
      'Without authentication, the service answers only requests to localhost, to a loopback address, or to the host of PUBLIC_URL.',
    );
  };
}

/** The host without its port, as URLs spell it; undefined if it is not a host. */
function nameOf(host: string): string | undefined {
  const url = `http://${host}/`;
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  return /(^|\.)localhost$/.test(name) || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}
