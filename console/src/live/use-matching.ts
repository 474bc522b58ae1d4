import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Count, ShipmentQuery } from '@waybill/client';
import { useState } from 'react';
import { matchingIn } from '../model/rows.js';
import { cache, countOfMovesQuery, countQuery, movesQuery, shipmentsQuery } from '../queries.js';
import { useRefresh } from './use-refresh.js';

/** A count reads up to 30,000 entries of an index, so that it follows changes at a slower pace than what is cheaper. */
const REFRESH_MS = 10_000;

/**
 * How many shipments match a query, as far as that is known. The service counts them if the list is not loaded completely, or if shipments may
 * have changed since: rows stay although they no longer match, and new ones are shown only on request. What was counted once is counted again.
 */
export function useMatching(query: ShipmentQuery): Count | undefined {
  const { data, hasNextPage, isFetchedAfterMount } = useInfiniteQuery(shipmentsQuery(query));
  const [hasChanged, setHasChanged] = useState(false);
  const mayDiffer = hasNextPage || hasChanged || (data !== undefined && !isFetchedAfterMount);
  const { data: counted } = useQuery({
    ...countQuery(query),
    enabled: ({ state }) => mayDiffer || state.data !== undefined,
  });
  useRefresh(REFRESH_MS, () => {
    setHasChanged(true);
    cache.outdateKey(['count']);
  });
  return data === undefined ? undefined : matchingIn(data, counted);
}

/** How many moves have some words. */
export function useMatchingMoves(words: string): Count | undefined {
  const { data, hasNextPage, isPlaceholderData } = useInfiniteQuery(movesQuery(words));
  const { data: counted } = useQuery({ ...countOfMovesQuery(words), enabled: hasNextPage && !isPlaceholderData });
  if (data === undefined || isPlaceholderData) return undefined;
  if (hasNextPage) return counted ?? undefined;
  return { count: data.pages.reduce((sum, { items }) => sum + items.length, 0), more: false };
}
