import { Problem } from './problem.js';

/** SQLSTATEs (by prefix) that say "not now": the database is away, starting, full, read-only, or a lock took too long. */
const PASSING_STATES = ['08', '25006', '40001', '40P01', '53', '55P03', '57014', '57P', '25P03', '58'];
const PASSING_ERRNOS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
];
const PASSING_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error|not queryable/;

/** A failure of the database that passes by itself, as 503; undefined for anything else. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (!isPassing(error)) return undefined;
  return new Problem('UNAVAILABLE', 'The database does not answer right now. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
    cause: error,
  });
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return PASSING_MESSAGES.test(error.message);
  return PASSING_ERRNOS.includes(code) || PASSING_STATES.some((state) => code.length === 5 && code.startsWith(state));
}

/** The constraint that a statement violated, when that is what made it fail. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return typeof code === 'string' && code.startsWith('23') ? constraint : undefined;
}
