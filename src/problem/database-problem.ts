import { types } from 'node:util';
import { invalidField, Problem, unavailable } from './problem.js';

const SERIALIZATION_FAILURE = '40001';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const NO_SUCH_STATEMENT = '26000';
const RECORD_IN_USE = 'Another transaction is using the record. Nothing was written. Try again in a moment.';
/** More has changed than a search examines itself, and the request needs all matches. */
const SEARCH_BEHIND =
  'Many records have just changed, and the search index does not include them yet. Try again in a moment.';

/** An error after which the transaction is retried, like a serialization failure. */
export function retryableError(message: string): Error {
  return Object.assign(new Error(message), { code: SERIALIZATION_FAILURE });
}

/** Whether the error is a deadlock, a serialization failure or an outdated statement, so that the transaction can be retried. */
export function isRetryable(error: unknown): boolean {
  return (
    ['40P01', SERIALIZATION_FAILURE].includes((error as { code?: string }).code ?? '') || isOutdatedStatement(error)
  );
}

/** Whether the error is a lock that another transaction has held for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === LOCK_NOT_AVAILABLE;
}

/** Whether PostgreSQL ended the statement: it took too long, or somebody canceled it. */
export function isCanceled(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === QUERY_CANCELED;
}

/** Whether a migration has changed the columns of a prepared statement, or a pooler has discarded it. Its connection must not be reused. */
export function isOutdatedStatement(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  return code === NO_SUCH_STATEMENT || routine === 'RevalidateCachedQuery';
}

/**
 * SQLSTATE prefixes of temporary failures: the database is unreachable, starting, full or read-only, or a lock timed out. 25P02
 * follows from an earlier failure, which aborted the transaction.
 */
const TRANSIENT_STATE = /^(08|25006|25P02|25P03|40001|40P01|53|55P03|57014|57P|58)/;
const TRANSIENT_ERRNOS =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const TRANSIENT_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error|not queryable/;

const INVALID_VALUE = /^(22001|22003|22007|22008|22009|22021|22023|22P02|22P05|23502|23514)$/;

/** SQLSTATEs that a client can cause if validation misses an invalid value. */
const CLIENT_ERRORS: readonly (readonly [state: RegExp, problem: () => Problem])[] = [
  [INVALID_VALUE, () => invalidField('', 'INVALID_VALUE', 'has a value that cannot be stored')],
  [
    /^23503$/,
    () => new Problem('IN_USE', 'The request refers to a record that does not exist or that other records depend on.'),
  ],
  [/^23505$/, () => new Problem('DUPLICATE', 'A record with these values already exists.')],
  [/^540(00|01|11|23)$/, () => new Problem('TOO_LARGE', 'The request exceeds a limit of the database.')],
];

/** How often the database rejected a value that validation should have rejected, by SQLSTATE. Each count is a bug in the rules. */
export const validationGaps = new Map<string, number>();

/** 503 for a transient database failure, 4xx for one that the client caused, otherwise undefined. */
export function databaseProblem(error: unknown): Problem | undefined {
  if ((error as { constraint?: string } | undefined)?.constraint === 'search_behind') {
    return unavailable(SEARCH_BEHIND, { cause: error });
  }
  if (isLockTimeout(error)) return unavailable(RECORD_IN_USE, { cause: error });
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  const { code: state = '' } = (error ?? {}) as { code?: string };
  const [, problem] = CLIENT_ERRORS.find(([known]) => known.test(state)) ?? [];
  if (problem !== undefined) validationGaps.set(state, (validationGaps.get(state) ?? 0) + 1);
  return problem?.();
}

/** Also used for failed connection attempts, whatever the SQLSTATE: nothing was sent yet, so a retry is safe. */
export function databaseUnavailable(cause: unknown): Problem {
  return unavailable('The database is unavailable. Try again in a moment.', { cause });
}

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (isOutdatedStatement(error)) return true;
  if (typeof code !== 'string') return TRANSIENT_MESSAGES.test(error.message);
  return TRANSIENT_ERRNOS.test(code) || (code.length === 5 && TRANSIENT_STATE.test(code));
}

/** Whether the database rejected a value, by its type or by a rule for its column. */
export function isInvalidValue(error: unknown): boolean {
  return INVALID_VALUE.test((error as { code?: string }).code ?? '');
}

export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && code.startsWith('23') ? constraint : undefined;
}
