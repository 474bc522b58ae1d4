export const USAGE = `Fills the database with generated moves, shipments, agents and services.

  npm run seed -- [--moves N] [--seed N] [--week] [--until MOMENT] [--into-existing] [--deliver]

  --moves N       number of moves, with three shipments each on average (1000)
  --seed N        seed of the generator; the same seed creates the same records (1)
  --week          one week at ten times the speed, with display names, instead of two years
  --until MOMENT  the end of the period, such as 2026-01-31T00:00:00Z (last midnight, UTC; with --week, now)
  --into-existing also fills a database that has moves already. The generated records and their authors stay in its history for ever,
                  and all writers wait meanwhile.
  --deliver       sends the generated events to the receivers of webhooks. Without it, webhooks skip them.

It never fills a database with NODE_ENV=production.`;

export interface Options {
  readonly moves: number;
  readonly seed: number;
  /** Fills one week at ten times the speed instead of two years. */
  readonly week: boolean;
  readonly until: number;
  /** Also fills a database that has moves. */
  readonly intoExisting: boolean;
  /** Sends the generated events to the receivers of webhooks. */
  readonly deliver: boolean;
}

export interface SeedOptions extends Options {
  readonly shipmentTypes: readonly string[];
}

export class UsageError extends Error {}

export const OPTIONS = {
  moves: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  week: { type: 'boolean', default: false },
  until: { type: 'string' },
  'into-existing': { type: 'boolean', default: false },
  deliver: { type: 'boolean', default: false },
} as const;

interface Written {
  readonly moves: string;
  readonly seed: string;
  readonly week: boolean;
  readonly until?: string | undefined;
  readonly 'into-existing'?: boolean;
  readonly deliver?: boolean;
}

export function readOptions(written: Written, now: number): Options {
  const { moves, seed, week, until, 'into-existing': intoExisting = false, deliver = false } = written;
  return {
    moves: wholeNumber('--moves', moves, 1, 10_000_000),
    seed: wholeNumber('--seed', seed, 0, Number.MAX_SAFE_INTEGER),
    week,
    until: until === undefined ? now - (week ? 0 : now % 86_400_000) : moment(until, now),
    intoExisting,
    deliver,
  };
}

function wholeNumber(name: string, written: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(written) ? Number(written) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, but is "${written}".`);
}

/** Records from the future would be newer than anything written later. */
function moment(written: string, now: number): number {
  const parsed = Date.parse(written);
  if (parsed > 0 && parsed <= now) return parsed;
  throw new UsageError(`--until must be a time in the past such as 2026-01-31T00:00:00Z, but is "${written}".`);
}
