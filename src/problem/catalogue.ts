import {
  BULK_ITEMS,
  ERASURE,
  EVENTS,
  FIELD_ERRORS,
  FILE_PLACE,
  optional,
  SCOPE,
  STATUSES,
  VERSIONS,
  type Members,
} from './members.js';

/** What the service tells about one of its errors, in every answer and on the page that `type` leads to. */
export interface Description {
  readonly status: number;
  readonly title: string;
  /** When this is answered. */
  readonly meaning: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** What its payload has beside the members of every problem. */
  readonly members?: Members;
  /** Headers that its answer always has. */
  readonly headers?: readonly string[];
  /** Headers that its answer can have. */
  readonly someHeaders?: readonly string[];
}

/** Every error the service can answer with: its code, its status, and what a person should know about it. */
export const PROBLEMS = {
  MALFORMED_JSON: {
    status: 400,
    title: 'The body is not readable JSON',
    meaning: 'The body is empty, is not valid JSON, is not valid UTF-8, or is not compressed as Content-Encoding says.',
    remedy: 'Send one JSON document in UTF-8. The detail says where reading stopped.',
  },
  MALFORMED_FILE: {
    status: 400,
    title: 'The file cannot be read',
    meaning:
      'The file is not CSV or JSON lines in UTF-8, its first line does not name columns that can be imported, or it is not compressed as Content-Encoding says. Nothing was stored.',
    remedy:
      'Look at "line" and "column", where they are there. Save spreadsheets as CSV in UTF-8, with the columns of the export.',
    members: FILE_PLACE,
  },
  INVALID_PARAMETER: {
    status: 400,
    title: 'A query parameter or the path is not acceptable',
    meaning:
      'The query has a parameter that this path does not know, one that is given twice, or a value that it does not accept; or the URL is not encoded correctly.',
    remedy:
      'Look at "errors": each entry names a parameter and says what it must be. Take cursors from Link headers as they are.',
    members: optional(FIELD_ERRORS),
  },
  INVALID_HEADER: {
    status: 400,
    title: 'A request header is malformed',
    meaning: 'If-Match, If-None-Match or Idempotency-Key does not follow its grammar.',
    remedy:
      'Send the eTag as you read it, bare or in double quotes. An Idempotency-Key is 1 to 255 visible characters.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    title: 'The request is not valid HTTP',
    meaning: 'The request violates the grammar of HTTP/1.1, or its body is shorter than its Content-Length.',
    remedy: 'Use an HTTP library instead of writing requests by hand, and look for a proxy that alters them.',
  },
  CREDENTIAL_IN_URL: {
    status: 400,
    title: 'Credentials must not be sent in the URL',
    meaning:
      'The query has a parameter that looks like a token, a key or a password. URLs end up in logs and histories.',
    remedy:
      'Send it in the Authorization header, and replace the one that was in the URL: it must be considered exposed.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Authentication is required',
    meaning:
      'The request has no token, or one that is not accepted: it has expired, is not valid yet, or was issued for another service.',
    remedy: 'Get a new token and send it as "Authorization: Bearer <ACCESS_TOKEN>".',
    headers: ['WWW-Authenticate'],
  },
  FORBIDDEN: {
    status: 403,
    title: 'The caller may not do this',
    meaning: 'The token is valid, but does not allow this request.',
    remedy: 'Ask for a token with the scope that "missingScope" names.',
    headers: ['WWW-Authenticate'],
    members: SCOPE,
  },
  NOT_FOUND: {
    status: 404,
    title: 'There is nothing here',
    meaning:
      'The path is unknown, or the record that it names does not exist, no longer exists, or is of another kind.',
    remedy: 'Check the path and the id. Paths are case-sensitive. The history of a deleted record stays readable.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'This path does not take this method',
    meaning: 'The path exists, but does not take this method.',
    remedy: 'Use one of the methods in the Allow header.',
    headers: ['Allow'],
    someHeaders: ['Accept-Patch'],
  },
  NOT_ACCEPTABLE: {
    status: 406,
    title: 'The service answers in JSON only',
    meaning: 'The Accept header allows none of the media types that this path answers with.',
    remedy: 'Send "Accept: application/json", or leave the header out.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The connection was opened, but the request did not arrive completely in time.',
    remedy: 'Send it again, on a better connection or with a smaller body.',
  },
  STATUS_TRANSITION: {
    status: 409,
    title: 'The shipment cannot go to this status from its present one',
    meaning: 'The table of statuses has no step from the present status to the one you asked for.',
    remedy: 'Choose one of "allowedStatuses". When the list is empty, the status is final.',
    members: STATUSES,
  },
  DUPLICATE: {
    status: 409,
    title: 'There is such a record already',
    meaning: 'The shipment already has an agent of this type. It can have one of each type.',
    remedy: 'Change the existing agent, or delete it first.',
  },
  IN_USE: {
    status: 409,
    title: 'Other records still depend on this one',
    meaning: 'The move still has shipments.',
    remedy: 'Delete the shipments of the move first.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    title: 'The first request with this key is still running',
    meaning: 'Another request with the same Idempotency-Key has begun and has no answer yet.',
    remedy: 'Wait as long as Retry-After says, then repeat the request with the same key to get its answer.',
    headers: ['Retry-After'],
  },
  BULK_REFUSED: {
    status: 409,
    title: 'Items of the bulk were refused, so none was done',
    meaning:
      'The items of an atomic bulk are done together or not at all, and some of them were refused. Nothing was written.',
    remedy:
      'Look at "items": where the status is not 424, "problem" says why that item was refused. Mend those and send all of them again, or send them with "atomic": false.',
    members: BULK_ITEMS,
  },
  EVENTS_GONE: {
    status: 410,
    title: 'The events after this cursor are gone',
    meaning:
      'The events that come next were moved out of the database with their month of history, or the cursor was handed out by another database or before this one was restored from a backup.',
    remedy:
      'Read the records again, as at the beginning, and follow from there. "oldest" is a cursor that leads to the oldest event that is kept.',
    members: EVENTS,
  },
  ERASED: {
    status: 410,
    title: 'What you ask for was erased',
    meaning:
      'The former version, or the answer that was kept for an Idempotency-Key, held data that had to be erased. A request that was answered before is not done a second time.',
    remedy: 'Read the record as it is now, if there still is one.',
    members: ERASURE,
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'The record has another version than the one you named',
    meaning:
      'Somebody changed the record after you read it, or If-None-Match excludes its current version. Nothing was written.',
    remedy:
      'Look at "changes": when none of them is "conflicting", repeat the request with "currentETag" in If-Match. Otherwise decide on each conflicting field first. Without "changes", read the record again and repeat with its eTag.',
    members: VERSIONS,
  },
  TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body has more bytes than the service accepts. The detail names the limit.',
    remedy: 'Send less data in one request.',
  },
  URI_TOO_LONG: {
    status: 414,
    title: 'The URL is too long',
    meaning: 'The path and the query together have more bytes than the service accepts. The detail names the limit.',
    remedy: 'Send fewer or shorter parameters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The body has a media type this path does not take',
    meaning:
      'Content-Type is missing, is not one that this method takes, or names a charset other than UTF-8; or Content-Encoding is unknown.',
    remedy:
      'Send "Content-Type: application/json". PATCH takes "application/merge-patch+json" as well, and an import takes "text/csv" and "application/jsonl".',
    someHeaders: ['Accept', 'Accept-Patch', 'Accept-Encoding'],
  },
  MISDIRECTED_REQUEST: {
    status: 421,
    title: 'The service does not answer under this host name',
    meaning:
      'The service runs without authentication (AUTH_MODE=off), and the Host header is neither a loopback name nor the host of PUBLIC_URL. Otherwise any web page could reach it through DNS rebinding.',
    remedy:
      'Send the request to localhost, or set PUBLIC_URL to the address that clients use. With AUTH_MODE=jwt, every host name is accepted.',
  },
  VALIDATION_FAILED: {
    status: 422,
    title: 'The body has fields that are not acceptable',
    meaning:
      'The body is valid JSON, but fields are missing, unknown, set by the server, or have values that are not allowed.',
    remedy: 'Look at "errors": each entry points to a field and says what it must be. All errors are reported at once.',
    members: FIELD_ERRORS,
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    title: 'This key was used for another request',
    meaning:
      'The Idempotency-Key was used before, for a request with another body, another query, or another If-Match or If-None-Match.',
    remedy: 'Use a new key for each new request, and the same key only to repeat a request exactly as it was.',
  },
  PRECONDITION_REQUIRED: {
    status: 428,
    title: 'This request must name the version it changes',
    meaning: 'PATCH and PUT change a record only when the request says which version it is based on.',
    remedy: 'Read the record and send its eTag in the If-Match header.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'The caller sends too many requests',
    meaning:
      'The caller has sent as many requests as it may send in this minute (the RateLimit header shows how many are left), has used as many Idempotency-Keys as it may use in 24 hours, or has as many event streams, waits for events, exports, uploads or result files open as one caller may have. The detail says which.',
    remedy:
      'Wait as long as Retry-After says, then repeat the request. Close streams and files that you no longer read.',
    headers: ['Retry-After'],
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request headers are too large',
    meaning: 'The request line and the headers together are larger than the service accepts.',
    remedy: 'Send fewer or shorter headers. Cookies of another application are a common cause.',
  },
  INTERNAL: {
    status: 500,
    title: 'The service failed',
    meaning: 'The service has a fault. A write that got this answer was not stored.',
    remedy: 'Report it with the requestID. Repeating a write is safe with an Idempotency-Key.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'The service cannot answer right now',
    meaning:
      'The database cannot be reached or is too busy, or the service has as many event streams, exports, uploads or the like open as it can serve. Nothing was written.',
    remedy: 'Wait as long as Retry-After says, then repeat the request. Repeat a write with the same Idempotency-Key.',
    headers: ['Retry-After'],
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    title: 'The change may have been written or not',
    meaning:
      'The database was lost while it stored the change, and it could not be asked afterwards what became of it.',
    remedy:
      'Repeat the request with the same Idempotency-Key if it had one: it has its effect once. Otherwise read the record first. Retry-After is sent only where repeating is safe.',
    someHeaders: ['Retry-After'],
  },
} as const satisfies Record<string, Description>;

export type ProblemCode = keyof typeof PROBLEMS;

export function descriptionOf(code: ProblemCode): Description {
  return PROBLEMS[code];
}

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
