import { HttpException } from '@nestjs/common';
import { databaseProblem } from './database-problem.js';
import { Problem } from './problem.js';

/** Whatever was thrown, as the problem to answer with. The one place that decides this. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return bodyProblem(error) ?? databaseProblem(error) ?? frameworkProblem(error) ?? internal(error);
}

/** What Express's body reader throws, known by `type`. */
function bodyProblem(error: unknown): Problem | undefined {
  const { type, limit } = error as { type?: unknown; limit?: number };
  switch (type) {
    case 'entity.too.large':
      return new Problem('TOO_LARGE', `The body must not have more than ${String(limit)} bytes.`);
    case 'encoding.unsupported':
      return new Problem('UNSUPPORTED_MEDIA_TYPE', 'The Content-Encoding must be gzip, deflate, br or identity.', {
        headers: { 'Accept-Encoding': 'gzip, deflate, br, identity' },
      });
    case 'request.aborted':
    case 'request.size.invalid':
      return new Problem('MALFORMED_REQUEST', 'The body has another length than Content-Length says.');
    default:
      return isInflateError(error)
        ? new Problem('MALFORMED_JSON', 'The body is not encoded as its Content-Encoding says.')
        : undefined;
  }
}

function isInflateError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    typeof code === 'string' &&
    (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT') || code.startsWith('ERR_BROTLI'))
  );
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
