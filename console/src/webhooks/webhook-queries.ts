import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { WebhookDelivery } from '@waybill/client';
import { client } from '../api.js';

/** How often open pages read webhooks again: their state changes without an event. */
const REFRESH_MS = 3000;

export function webhooksQuery() {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'list'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.webhooks.list({ limit: 100, signal }).page(pageParam),
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
  });
}

export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
    refetchInterval: REFRESH_MS,
  });
}

export function deliveryQuery(webhookID: string, id: string) {
  return queryOptions({
    queryKey: ['webhooks', webhookID, 'delivery', id],
    queryFn: ({ signal }) => client.webhooks.delivery(webhookID, id, { signal }),
  });
}

export function deliveriesQuery(id: string, state: WebhookDelivery['state'] | undefined) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.webhooks
        .deliveries(id, { ...(state !== undefined && { state: [state] }), limit: 50, signal })
        .page(pageParam),
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
  });
}
