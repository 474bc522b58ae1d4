import { databaseProblem } from './database-problem.js';
import { Problem } from './problem.js';

/** Converts whatever was thrown into the problem to answer with. This is the only place that decides it. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return databaseProblem(error) ?? expressProblem(error) ?? internal(error);
}

/** What Express throws by itself: a path that cannot be decoded. */
function expressProblem(error: unknown): Problem | undefined {
  if (!(error instanceof URIError)) return undefined;
  return new Problem('INVALID_PARAMETER', 'The path has a broken percent-encoding. Write each % as %25.');
}

function internal(cause: unknown): Problem {
  return new Problem('INTERNAL', 'Something went wrong in the service. Quote the requestID when you report it.', {
    cause,
  });
}
