import type { Answer, Api, Json } from '../http/api.js';

/** The path of a record, such as /v1/agents/<id>. */
type Path = string;

/** The latest deletion of the record in a path. */
export async function deletionOf(api: Api, path: Path): Promise<Json> {
  const id = path.slice(path.lastIndexOf('/') + 1);
  for (let next: string | undefined = '/v1/deletions?limit=200'; next !== undefined;) {
    const { body, headers }: Answer<Json> = await api.get(next);
    const found = body.find(({ resourceID }: Json) => resourceID === id);
    if (found !== undefined) return found;
    next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  }
  return undefined;
}

/** Deletes the record in a path and returns the deletion. */
export async function deleted(api: Api, path: Path): Promise<Json> {
  const { status } = await api.delete(path);
  if (status !== 204) throw new Error(`DELETE ${path} answered ${status}`);
  return deletionOf(api, path);
}

export function undelete(api: Api, path: Path, deletionETag: string, headers = {}): Promise<Answer<Json>> {
  return api.post(`${path}/undelete`, undefined, { 'If-Match': deletionETag, ...headers });
}
