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
