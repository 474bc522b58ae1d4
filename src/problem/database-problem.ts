import { types } from 'node:util';
import { Problem, unavailable } from './problem.js';
import { countValidationGap } from './validation-gaps.js';

/** A transaction that may succeed when it is done again. */
export const SERIALIZATION_FAILURE = '40001';

/** Whether PostgreSQL broke a deadlock or could not serialize: the same transaction may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  return ['40P01', SERIALIZATION_FAILURE].includes((error as { code?: string }).code ?? '');
}

/**
 * SQLSTATEs (by prefix) that say "not now": the database is away, starting, full, read-only, or a lock took too long. Two come
 * after such a failure: 26000, when the statement that failed would have prepared this one, and 25P02, when the failure aborted
 * the transaction that this statement is in.
 */
const PASSING_STATES = [
  '08',
  '25006',
  '25P02',
  '26000',
  SERIALIZATION_FAILURE,
  '40P01',
  '53',
  '55P03',
  '57014',
  '57P',
  '25P03',
  '58',
];
const PASSING_ERRNOS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
const PASSING_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error|not queryable/;

/** What a client can make the database say when validation let a value through that it should not have. */
const REFUSED_STATES: Readonly<Record<string, () => Problem>> = {
  ...forEach(
    ['22001', '22003', '22007', '22008', '22009', '22021', '22023', '22P02', '22P05', '23502', '23514'],
    () => {
      return new Problem('VALIDATION_FAILED', 'The request has a value that cannot be stored.');
    },
  ),
  '23503': () =>
    new Problem('IN_USE', 'The request names a record that does not exist, or that other records depend on.'),
  '23505': () => new Problem('DUPLICATE', 'A record with these values exists already.'),
  ...forEach(['54000', '54001', '54011', '54023'], () => new Problem('TOO_LARGE', 'The request asks for too much.')),
};

function forEach<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** A failure of the database that passes by itself, as 503, or that a client caused, as 4xx; undefined for anything else. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  const state = sqlStateOf(error);
  if (state === undefined || !Object.hasOwn(REFUSED_STATES, state)) return undefined;
  countValidationGap(state);
  return REFUSED_STATES[state]?.();
}

/** Also for a connection that cannot be had, whatever its SQLSTATE: nothing was sent on it, so the same may be asked again. */
export function databaseUnavailable(cause: unknown): Problem {
  return unavailable('The database does not answer right now. Try again in a moment.', { cause });
}

/** The database's own code of a failure; errors of the operating system and of Node have codes of another form. */
function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether a failure says "not now", so that the same may succeed a moment later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return PASSING_MESSAGES.test(error.message);
  return PASSING_ERRNOS.includes(code) || PASSING_STATES.some((state) => code.length === 5 && code.startsWith(state));
}

/** The constraint that a statement violated, when that is what made it fail. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && code.startsWith('23') ? constraint : undefined;
}
