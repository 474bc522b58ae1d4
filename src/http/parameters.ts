import { ETAG, isETag, type Schema } from '../schema/json-schema.js';
import { FORBIDDEN_CHARACTERS, hasForbiddenCharacter, isLongerThan, textPattern } from './characters.js';
import { BadValue, type Parameter } from './query.js';

export const eTag: Parameter<string> = {
  parse: (written) =>
    isETag(written)
      ? written
      : refuse('must be an eTag: 64 hexadecimal digits, as the record shows it, without quotes'),
  schema: ETAG,
};

export function text(longest: number): Parameter<string> {
  return {
    parse: (written) => {
      if (written === '' || isLongerThan(written, longest)) refuse(`must have 1 to ${longest} characters`);
      return hasForbiddenCharacter(written, 'short') ? refuse(FORBIDDEN_CHARACTERS.short) : written;
    },
    schema: { type: 'string', minLength: 1, maxLength: longest, pattern: textPattern('short', false) },
  };
}

export function wholeNumber(least: number, most: number): Parameter<number> {
  return {
    parse: (written) => {
      const value = /^(0|[1-9]\d{0,9})$/.test(written) ? Number(written) : NaN;
      return value >= least && value <= most ? value : refuse(`must be a whole number from ${least} to ${most}`);
    },
    schema: { type: 'integer', minimum: least, maximum: most },
  };
}

export function oneOf<const Option extends string>(options: readonly Option[]): Parameter<Option> {
  return {
    parse: (written) => options.find((option) => option === written) ?? refuse(`must be one of ${options.join(', ')}`),
    schema: { type: 'string', enum: options },
  };
}

/** Several values of a parameter; `?status=A,B&status=C` is read whichever way the document shows. */
export function listOf<Value, Way extends 'by comma' | 'by repetition'>(
  parameter: Parameter<Value>,
  list: Way,
): Parameter<Value> & { list: Way } {
  return { ...parameter, list };
}

const DAY_PATTERN = '(19|20|21)\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const DAY = new RegExp(`^${DAY_PATTERN}$`);

export const CALENDAR_DATE: Schema = { type: 'string', format: 'date', pattern: DAY.source };

export const calendarDate: Parameter<string> = {
  parse: (written) =>
    isCalendarDate(written) ? written : refuse('must be a calendar date of the form YYYY-MM-DD, from 1900 to 2199'),
  schema: CALENDAR_DATE,
};

/** PostgreSQL takes offsets up to 15:59; no place on earth is further from UTC than 14 hours. */
const MOMENT = new RegExp(
  `^${DAY_PATTERN}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-5]):[0-5]\\d)$`,
);

export const timestamp: Parameter<string> = {
  schema: { type: 'string', format: 'date-time', pattern: MOMENT.source },
  parse: (written) =>
    MOMENT.test(written) && isCalendarDate(written.slice(0, 10))
      ? written
      : refuse(
          'must be an RFC 3339 timestamp such as 2026-01-31T12:00:00Z (write a + as %2B), its offset at most 15:59',
        ),
};

/** Whether a text is a real day of the calendar, written YYYY-MM-DD. */
export function isCalendarDate(written: string): boolean {
  if (!DAY.test(written)) return false;
  const [year, month, day] = [written.slice(0, 4), written.slice(5, 7), written.slice(8)].map(Number) as Day;
  return day <= 28 || day <= lastDayOf(year, month);
}

type Day = [year: number, month: number, day: number];

/** The day before the first of the next month. */
function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function refuse(message: string): never {
  throw new BadValue(message);
}
