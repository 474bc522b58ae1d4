const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses before the first further attempts, and before all later ones. */
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR];
const DAILY_MS = 24 * HOUR;

/** Spreads out the attempts of deliveries that failed together. */
const JITTER = 0.2;

const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** The pause after the failures so far. The queue decides when a delivery is given up: it knows what the receiver accepted meanwhile. */
export function pauseAfter(failures: number, status: number | null, retryAfter: string | undefined): number {
  const pause = PAUSES_MS[failures - 1] ?? DAILY_MS;
  const requested = status === 429 || status === 503 ? retryAfterMs(retryAfter) : 0;
  return Math.max(pause * (1 + JITTER * Math.random()), Math.min(requested, MAX_RETRY_AFTER_MS));
}

/** Seconds or a date (RFC 9110, 10.2.3); 0 for anything else. */
function retryAfterMs(text = ''): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - Date.now());
}
