/**
 * Converts the target of a request to a path with a query. Clients may also send an absolute URL (RFC 9112, 3.2.2) or `OPTIONS *`. This
 * must run before Express, whose parser throws on some absolute URLs and responds with its own page. An invalid target gets a
 * fragment, so that `checkRequestHead` rejects it.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, path] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (path === undefined) return `/#${target}`;
  return path.startsWith('/') ? path : `/${path}`;
}
