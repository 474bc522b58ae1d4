/**
 * The target of a request as a path with a query. A client may also send an absolute URL of the service (RFC 9112, 3.2.2), and
 * `OPTIONS *`. This is done before Express sees the request: Express parses absolute URLs with a parser that throws on some hosts,
 * and then answers by itself, with a page. What is none of these gets a fragment, for which `checkRequestHead` refuses it.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  const [, path] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  if (path === undefined) return `/#${target}`;
  return path.startsWith('/') ? path : `/${path}`;
}
