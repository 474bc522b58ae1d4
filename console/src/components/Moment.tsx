import { formatAgo, formatDay, formatMoment, today } from '../model/format.js';
import { Store } from '../store.js';
import { useStore } from '../use-store.js';
import text from './text.module.css';

/** One clock for all relative times on the page. */
const clock = new Store(Date.now());
setInterval(() => clock.set(Date.now()), 15_000);

/** The current day, also after midnight. */
export function useToday(): string {
  return today(new Date(useStore(clock)));
}

/** A timestamp in local time, with the exact value on hover. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatMoment(at)}
    </time>
  );
}

export function Ago({ at }: { readonly at: string }) {
  const now = useStore(clock);
  return (
    <time dateTime={at} title={at}>
      {formatAgo(at, Math.max(now, Date.parse(at)))}
    </time>
  );
}

export function Day({ day }: { readonly day: string | null }) {
  if (day === null) return <span className={text.none}>–</span>;
  return (
    <time dateTime={day} title={day}>
      {formatDay(day)}
    </time>
  );
}
