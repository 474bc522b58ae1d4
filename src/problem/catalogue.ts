import type { Properties } from '../validation/json-schema.js';
import { FIELD_ERRORS, PARENT, RESTORATION, VERSIONS } from './members.js';

/** How the service describes an error in responses and on the page that `type` links to. */
export interface Description {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
  /** Payload members that this problem always has, besides those of every problem. */
  readonly members?: Properties;
  readonly someMembers?: Properties;
  readonly headers?: readonly string[];
  readonly someHeaders?: readonly string[];
}

/** An error with its code. Features have some of their own, each with an example. */
export interface ProblemType extends Description {
  readonly code: string;
}

/** The errors that any part of the service can respond with. */
export const PROBLEMS = {
  MALFORMED_JSON: {
    status: 400,
    title: 'The body is not readable JSON',
    meaning: 'The body is empty, is not valid JSON, is not valid UTF-8, or does not match its Content-Encoding.',
    remedy: 'Send one JSON document in UTF-8. The detail names the position of the error.',
  },
  INVALID_PARAMETER: {
    status: 400,
    title: 'A query parameter or the path is invalid',
    meaning:
      'The query has an unknown parameter, a duplicate parameter, or an invalid value; a search takes too long; or the URL is not encoded correctly.',
    remedy:
      'Check "errors": each entry names a parameter and says what it must be. Copy cursors from Link headers unchanged. Narrow a search that takes too long (TOO_BROAD) by another word or a filter.',
    someMembers: FIELD_ERRORS,
  },
  INVALID_HEADER: {
    status: 400,
    title: 'A request header is malformed',
    meaning: 'If-Match, If-None-Match or Idempotency-Key has invalid syntax.',
    remedy:
      'Send the eTag as you read it, bare or in double quotes. An Idempotency-Key is 1 to 255 visible characters.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    title: 'The request is not valid HTTP',
    meaning: 'The request violates the HTTP/1.1 syntax, or its body is shorter than its Content-Length.',
    remedy: 'Use an HTTP library instead of writing requests by hand, and check for a proxy that alters them.',
  },
  CREDENTIAL_IN_URL: {
    status: 400,
    title: 'Credentials must not be sent in the URL',
    meaning:
      'The query has a parameter that looks like a token, a key or a password. URLs end up in logs and browser histories.',
    remedy: 'Send it in the Authorization header, and revoke the one that was in the URL: consider it exposed.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Authentication is required',
    meaning:
      'The token or API key is missing, expired, revoked, not valid yet, or was issued for another service; or the request does not come from the authenticating proxy.',
    remedy: 'Get a new token or key and send it as "Authorization: Bearer <ACCESS_TOKEN>".',
    headers: ['WWW-Authenticate'],
  },
  FORBIDDEN: {
    status: 403,
    title: 'The token does not allow this request',
    meaning: 'The caller is known, but lacks the scope that this request requires.',
    remedy: 'Get a token or key with the scope in "missingScope".',
    headers: ['WWW-Authenticate'],
    members: { missingScope: { type: 'string', description: 'The scope that the token lacks.' } },
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    meaning: 'The path is unknown, or the record does not exist, was deleted, or is of another type.',
    remedy: 'Check the path and the id. Paths are case-sensitive. The history of a deleted record remains readable.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'This path does not support this method',
    meaning: 'The path exists, but does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
    headers: ['Allow'],
    someHeaders: ['Accept-Patch'],
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'No acceptable media type',
    meaning: 'The Accept header allows none of the media types that this path can return.',
    remedy: 'Send "Accept: application/json", or omit the header.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The connection was opened, but the request did not arrive in full before the timeout.',
    remedy: 'Retry on a better connection or with a smaller body.',
  },
  DUPLICATE: {
    status: 409,
    title: 'The record already exists',
    meaning: 'Another record has the same values, which only one may have. The detail names them.',
    remedy: 'Change the existing record, or delete it first.',
  },
  IN_USE: {
    status: 409,
    title: 'Other records still depend on this one',
    meaning: 'The record still has others that belong to it. The detail names their kind.',
    remedy: 'Delete those records first.',
  },
  LIMIT_REACHED: {
    status: 409,
    title: 'The caller has as many records of this kind as allowed',
    meaning:
      'The caller has already created the maximum number of records of this kind, or has changed one too often in 24 hours. The detail says which.',
    remedy: 'Delete a record that is no longer needed, or ask the operator to raise the limit that the detail names.',
  },
  NOT_DELETED: {
    status: 409,
    title: 'The record is not deleted',
    meaning: 'The record exists: it was never deleted, or it was restored already.',
    remedy:
      'If "restoredBy" is you, your request succeeded and its response was lost. Otherwise read the record before you change it.',
    members: { currentETag: VERSIONS.currentETag },
    someMembers: RESTORATION,
  },
  PARENT_DELETED: {
    status: 409,
    title: 'The record belongs to a deleted one',
    meaning: 'The record that this one belongs to was deleted.',
    remedy:
      'Restore the parent first: "restorePath" is the path for it. A record that was deleted along with its parent comes back with it.',
    someMembers: PARENT,
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'The first request with this key is still running',
    meaning: 'Another request with the same Idempotency-Key has not finished yet.',
    remedy: 'Wait for Retry-After, then repeat the request with the same key to get its response.',
    headers: ['Retry-After'],
  },
  ERASED: {
    status: 410,
    title: 'The data was erased',
    meaning:
      'The earlier version, the deleted record, or the response stored for an Idempotency-Key contained data that was erased. A request that already has a response is not executed again.',
    remedy: 'Read the current record, if it still exists.',
    members: { erased: { type: 'boolean', const: true, description: 'The values were erased.' } },
  },
  NOT_KEPT: {
    status: 410,
    title: 'The record is no longer kept',
    meaning:
      'The record existed, but the service keeps it only for some time: the detail says how long. A deleted record can be restored until the month of its deletion is archived.',
    remedy: 'Create a new one, for example by uploading the file again.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'The record has changed',
    meaning:
      'Someone changed the record after you read it, or If-None-Match excludes its current version. Nothing was written.',
    remedy:
      'Check "changes": if none of them is "conflicting", repeat the request with "currentETag" in If-Match. Otherwise resolve each conflicting field first. Without "changes", read the record again and repeat with its eTag.',
    someMembers: VERSIONS,
  },
  TOO_LARGE: {
    status: 413,
    title: 'The request is too large',
    meaning:
      'The body exceeds the size limit; the request has more items than a caller may send requests per minute; or the response exceeds what may be stored for the Idempotency-Keys of a caller. The detail names the limit.',
    remedy: 'Send less data or fewer items in one request.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'The URL is too long',
    meaning: 'The path and query exceed the length limit. The detail names the limit.',
    remedy: 'Send fewer or shorter parameters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'Content-Type is missing, is not supported by this method, or names a charset other than UTF-8; or Content-Encoding is unknown.',
    remedy:
      'Send "Content-Type: application/json". PATCH also accepts "application/merge-patch+json". If the path accepts files, the detail names their types.',
    someHeaders: ['Accept', 'Accept-Patch', 'Accept-Encoding'],
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    title: 'The service does not accept this host name',
    meaning:
      'The service runs without authentication (AUTH_MODE=off), and the Host header is neither a loopback name nor the host of PUBLIC_URL. Otherwise any web page could reach it through DNS rebinding.',
    remedy:
      'Send the request to localhost, or set PUBLIC_URL to the address that clients use. With AUTH_MODE=jwt, the service accepts every host name.',
  },
  VALIDATION_FAILED: {
    status: 422,
    title: 'The body has invalid fields',
    meaning: 'The body is valid JSON, but has missing, unknown, read-only or invalid fields.',
    remedy: 'Check "errors": each entry points to a field and says what it must be. All errors are reported at once.',
    members: FIELD_ERRORS,
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    title: 'This key was used for another request',
    meaning: 'The Idempotency-Key was used before with a different body, query, If-Match or If-None-Match.',
    remedy: 'Use a new key for each new request, and reuse a key only to repeat the identical request.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    title: 'This request requires If-Match',
    meaning: 'PATCH and PUT must name the version that they are based on, and undelete the deletion.',
    remedy:
      'Read the record and send its eTag in the If-Match header; for an undelete, the deletionETag of GET /v1/deletions.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The caller exceeded its requests per minute (see the RateLimit header), its Idempotency-Keys per 24 hours, or its number of open event streams, event waits, exports, uploads or result files. The detail says which.',
    remedy: 'Wait for Retry-After, then repeat the request. Close unused streams and files.',
    headers: ['Retry-After'],
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large',
    meaning: 'The request line and the headers exceed the size limit.',
    remedy: 'Send fewer or shorter headers. Cookies of another application are a common cause.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service has a bug. A write with this response was not stored.',
    remedy: 'Report it with the requestID. Repeating a write is safe with an Idempotency-Key.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'The service is unavailable',
    meaning:
      'The database is unreachable or overloaded, or the service has reached its limit of open event streams, exports or uploads. Nothing was written.',
    remedy: 'Wait for Retry-After, then repeat the request. Repeat a write with the same Idempotency-Key.',
    headers: ['Retry-After'],
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    title: 'The outcome of the write is unknown',
    meaning:
      'The connection to the database was lost during the commit, and the service could not find out whether it succeeded.',
    remedy:
      'If the request had an Idempotency-Key, repeat it with the same key: it takes effect only once. Otherwise read the record first. Retry-After is sent only if repeating is safe.',
    someHeaders: ['Retry-After'],
  },
} as const satisfies Record<string, Description>;

export type ProblemCode = keyof typeof PROBLEMS;

export function typeOf(of: ProblemCode | ProblemType): ProblemType {
  return typeof of === 'string' ? { code: of, ...PROBLEMS[of] } : of;
}
