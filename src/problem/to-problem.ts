import { databaseProblem } from './database-problem.js';
import { Problem } from './problem.js';

/** Converts any thrown value into the problem to respond with. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return databaseProblem(error) ?? expressProblem(error) ?? internal(error);
}

/** Express throws a URIError for a path that it cannot decode. */
function expressProblem(error: unknown): Problem | undefined {
  if (!(error instanceof URIError)) return undefined;
  return new Problem('INVALID_PARAMETER', 'The path has invalid percent-encoding. Write each % as %25.');
}

function internal(cause: unknown): Problem {
  return new Problem('INTERNAL', 'The service failed unexpectedly. Include the requestID when you report it.', {
    cause,
  });
}
