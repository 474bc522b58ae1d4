import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../api.js';

/** How often open pages read keys again: there are no events about them. */
const REFRESH_MS = 5000;

export function keysQuery() {
  return infiniteQueryOptions({
    queryKey: ['keys', 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.keys.list({ limit: 100, signal }).page(pageParam),
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
  });
}

export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => client.keys.get(id, { signal }),
    refetchInterval: REFRESH_MS,
  });
}
