import type { Event } from '@waybill/client';
import { useEffect, useEffectEvent } from 'react';
import { live } from './live.js';

/** Calls `refresh` with the events of shipments, agents and services that arrived, at most once in so many milliseconds. */
export function useRefresh(everyMs: number, refresh: (events: readonly Event[]) => void): void {
  const onRefresh = useEffectEvent(refresh);
  useEffect(() => {
    let collected: Event[] = [];
    let timer: number | undefined;
    let last = 0;
    const stop = live.onEvents((events) => {
      const own = events.filter(({ data }) => data.shipmentID !== null);
      if (own.length === 0) return;
      collected.push(...own);
      timer ??= window.setTimeout(
        () => {
          timer = undefined;
          last = Date.now();
          const arrived = collected;
          collected = [];
          onRefresh(arrived);
        },
        Math.max(0, last + everyMs - Date.now()),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [everyMs]);
}
