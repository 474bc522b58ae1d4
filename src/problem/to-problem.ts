import { HttpException } from '@nestjs/common';
import { databaseProblem } from './database-problem.js';
import { Problem } from './problem.js';

/** Whatever was thrown, as the problem to answer with. The one place that decides this. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return databaseProblem(error) ?? frameworkProblem(error) ?? internal(error);
}

/** What NestJS and Express throw by themselves: an unknown path, or one that cannot be decoded. */
function frameworkProblem(error: unknown): Problem | undefined {
  if (error instanceof URIError) return new Problem('INVALID_PARAMETER', 'The path has a broken percent-encoding.');
  if (error instanceof HttpException && error.getStatus() === 404) {
    return new Problem('NOT_FOUND', 'The service has no such path.');
  }
  return undefined;
}

function internal(cause: unknown): Problem {
  return new Problem('INTERNAL', 'Something went wrong in the service. Quote the requestID when you report it.', {
    cause,
  });
}
