/** Every error the service can answer with: its code, its status, and what a person should know about it. */
export const PROBLEMS = {
  MALFORMED_JSON: { status: 400, title: 'The body is not readable JSON' },
  INVALID_PARAMETER: { status: 400, title: 'A query parameter or the path is not acceptable' },
  INVALID_HEADER: { status: 400, title: 'A request header is malformed' },
  MALFORMED_REQUEST: { status: 400, title: 'The request is not valid HTTP' },
  CREDENTIAL_IN_URL: { status: 400, title: 'Credentials must not be sent in the URL' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication is required' },
  FORBIDDEN: { status: 403, title: 'The caller may not do this' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'This path does not take this method' },
  NOT_ACCEPTABLE: { status: 406, title: 'The service answers in JSON only' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  STATUS_TRANSITION: { status: 409, title: 'The shipment cannot go to this status from its present one' },
  DUPLICATE: { status: 409, title: 'There is such a record already' },
  IN_USE: { status: 409, title: 'Other records still depend on this one' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: 'The first request with this key is still running' },
  PRECONDITION_FAILED: { status: 412, title: 'The record has another version than the one you named' },
  TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body has a media type this path does not take' },
  VALIDATION_FAILED: { status: 422, title: 'The body has fields that are not acceptable' },
  IDEMPOTENCY_MISMATCH: { status: 422, title: 'This key was used for another request' },
  PRECONDITION_REQUIRED: { status: 428, title: 'This request must name the version it changes' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The request headers are too large' },
  INTERNAL: { status: 500, title: 'The service failed' },
  UNAVAILABLE: { status: 503, title: 'The service cannot answer right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
