import type { DatabaseError } from 'pg';
import { databaseProblem } from './database-problem.js';
import { Problem } from './problem.js';

/** Converts any thrown value into the problem to respond with. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Express throws a URIError for a path that it cannot decode.
  if (error instanceof URIError) {
    return new Problem('INVALID_PARAMETER', 'The path has invalid percent-encoding. Write each % as %25.');
  }
  const detail = 'The service failed unexpectedly. Include the requestID when you report it.';
  return databaseProblem(error) ?? new Problem('INTERNAL', detail, { cause: error });
}

/** "Data exception": the message quotes the value, as in `invalid input syntax for type date: "..."`. */
const DATA_EXCEPTION = '22';

/** Describes the cause of a failure for the log, without any data that a client sent. */
export function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return `a thrown ${typeof cause}`;
  return isDatabaseError(cause) ? describeDatabaseError(cause) : (cause.stack ?? cause.message);
}

/** Omits the detail and the parameters of the error, which contain client data. */
function describeDatabaseError(error: DatabaseError): string {
  const { code = '', table, column, constraint, routine } = error;
  const place = Object.entries({ table, column, constraint, routine })
    .filter(([, name]) => name !== undefined)
    .map(([kind, name]) => `${kind} ${String(name)}`);
  const message = code.startsWith(DATA_EXCEPTION) ? '' : ` ${error.message}`;
  const calls = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [[`SQLSTATE ${code}${message}`, ...place].join(', '), ...calls].join('\n');
}

function isDatabaseError(error: Error): error is DatabaseError {
  const { code, severity } = error as Partial<DatabaseError>;
  return typeof code === 'string' && typeof severity === 'string';
}
