import type { Api, Json } from './api.js';

/** The next page in a Link header, if any. */
export function nextOf(headers: Headers): string | undefined {
  const link = headers.get('Link');
  return link === null ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
}

/** Reads a list to its end; `between` runs after each page. */
export async function walk(api: Api, path: string, between?: () => Promise<unknown>): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { body, headers }: { body: Json[]; headers: Headers } = await api.get(next);
    pages.push(body);
    next = nextOf(headers);
    await between?.();
  }
  return pages;
}
