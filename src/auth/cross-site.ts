import type { Request } from 'express';
import type { Config } from '../config/config.js';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a browser sends this write for a page of another site. A browser adds cookies and client certificates to such a request, so an
 * authenticating proxy takes it for one of its user. Programs that are no browsers send neither of these headers.
 */
export function isCrossSiteWrite({ method, headers }: Request, { CORS_ORIGINS = [], PUBLIC_URL }: Config): boolean {
  const { origin, host } = headers;
  if (READS.includes(method) || (origin !== undefined && CORS_ORIGINS.includes(origin))) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  // Older browsers, and pages over plain http.
  return origin !== undefined && ![host, hostOf(PUBLIC_URL)].includes(hostOf(origin) ?? '');
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}
