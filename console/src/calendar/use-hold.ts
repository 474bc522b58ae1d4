import { useEffect, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { addDays, isDay } from '../model/days.js';
import { formatLongDay } from '../model/format.js';
import { announce } from '../components/notice.js';
import type { Row, Rows } from '../model/rows.js';
import { queryClient } from '../queries.js';
import { session } from '../session/session.js';
import { t } from '../texts/texts.js';

/** A shipment that was picked up by keyboard, and the day where it would be put. */
interface Held {
  readonly shipment: Row;
  readonly to: string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** Arrow keys move between shipments and days. Space picks a shipment up, the arrow keys choose a day, and Space drops it there. */
export function useHold(
  days: readonly string[],
  put: (shipment: Row, to: string) => void,
  show: (day: string) => void,
) {
  const [held, setHeld] = useState<Held>();
  useEffect(() => {
    if (held !== undefined) document.getElementById(`day-${held.to}`)?.focus();
  }, [held]);

  const cancel = ({ shipment }: Held) => {
    setHeld(undefined);
    announce(t.calendar.putBack(shipment.shipmentCode));
    document.getElementById(`shipment-${shipment.id}`)?.focus();
  };
  const onHeldKey = (event: KeyboardEvent, now: Held) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      const next = addDays(now.to, step);
      const to = isDay(next) ? next : now.to;
      setHeld({ ...now, to });
      announce(formatLongDay(to));
      if (!days.includes(to)) show(to);
    } else if (event.key === ' ' || event.key === 'Enter') {
      setHeld(undefined);
      put(now.shipment, now.to);
    } else if (event.key === 'Escape') cancel(now);
    else return;
    event.preventDefault();
  };
  const onFreeKey = (event: KeyboardEvent) => {
    const { target } = event;
    const day = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-day]') : null;
    if (!(target instanceof HTMLElement) || day === null) return;
    const id = target.dataset['shipment'];
    const at = day.dataset['day'] ?? '';
    if (event.key === ' ' && id !== undefined && session.can('shipments:write')) {
      const shipment = shipmentOf(id);
      if (shipment === undefined) return;
      setHeld({ shipment, to: at });
      announce(t.calendar.pickedUp(shipment.shipmentCode));
    } else if (!walk(event.key, target, day, at)) return;
    event.preventDefault();
  };
  return {
    held,
    handlers: {
      onKeyDown: (event: KeyboardEvent) => (held === undefined ? onFreeKey(event) : onHeldKey(event, held)),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (held !== undefined && relatedTarget !== null && !currentTarget.contains(relatedTarget)) setHeld(undefined);
      },
    },
  };
}

/** The shipment as it is shown. */
function shipmentOf(id: string): Row | undefined {
  const lists = queryClient.getQueriesData<Rows>({ queryKey: ['shipments'], type: 'active' });
  return lists.flatMap(([, rows]) => rows?.pages.flatMap(({ items }) => items) ?? []).find((row) => row.id === id);
}

/** Moves the focus. Returns false if the key does not do that here. */
function walk(key: string, from: HTMLElement, day: HTMLElement, at: string): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  const own = [...day.querySelectorAll<HTMLElement>('[data-shipment]')];
  const beside = Math.abs(step) === 7 ? own[own.indexOf(from) + Math.sign(step)] : undefined;
  const other = document.getElementById(`day-${addDays(at, step)}`);
  (beside ?? other?.querySelector<HTMLElement>('[data-shipment]') ?? other)?.focus();
  return true;
}
