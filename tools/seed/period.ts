import { DAY, HOUR } from './clock.js';

/** The time that is filled with records, and how quickly things happen in it. */
export interface Period {
  readonly length: number;
  /** What a shipment spends days on elsewhere takes as many of these. */
  readonly day: number;
  readonly hour: number;
  /** Whether histories name people as a token with names does, or by their mailboxes. */
  readonly hasNames: boolean;
}

export const TWO_YEARS: Period = { length: 730 * DAY, day: DAY, hour: HOUR, hasNames: false };

/** Ten times as quick, so that shipments of one week have come as far as those of two years. */
export const WEEK: Period = { length: 7 * DAY, day: DAY / 10, hour: HOUR / 10, hasNames: true };
