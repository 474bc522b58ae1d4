import type { ProblemCode } from '../../problem/catalogue.js';
import { Problem, problemBody } from '../../problem/problem.js';
import { EXAMPLE_ETAG } from '../../validation/json-schema.js';
import { EXAMPLE_CURSOR, EXAMPLE_SHIPMENT as SHIPMENT } from './examples.js';

/** The parts of an example that are specific to its problem code. */
interface Example {
  readonly detail: string;
  readonly instance?: string;
  /** Payload members besides those that every problem has. */
  readonly members?: Record<string, unknown>;
}

const SHIPMENTS = '/v1/shipments';

const STATUS_TRANSITION: Example = {
  detail: 'A shipment that is SUBMITTED cannot become DELIVERED. It can become APPROVED, REJECTED, CANCELED.',
  instance: `/prime${SHIPMENT}/updateStatus`,
  members: { currentStatus: 'SUBMITTED', allowedStatuses: ['APPROVED', 'REJECTED', 'CANCELED'] },
};

/** One example response per problem; a spec provokes and compares each of them. */
const EXAMPLES: Readonly<Record<ProblemCode, Example>> = {
  MALFORMED_JSON: { detail: 'The body must have a JSON value here (line 1, column 18).', instance: SHIPMENTS },
  MALFORMED_FILE: {
    detail: 'Line 1, column "delivery": is not a column of shipments. Nothing was stored.',
    instance: '/v1/imports',
    members: { line: 1, column: 'delivery' },
  },
  INVALID_PARAMETER: {
    detail: 'The parameter ?limit must be a whole number from 1 to 200.',
    instance: SHIPMENTS,
    members: {
      errors: [{ pointer: '?limit', code: 'INVALID_VALUE', message: 'must be a whole number from 1 to 200' }],
      errorCount: 1,
    },
  },
  INVALID_HEADER: {
    detail:
      'The header If-Match must be one eTag, with or without double quotes, a list of eTags in double quotes, or *. Send the eTag of the record that you last read.',
  },
  MALFORMED_REQUEST: { detail: 'The request body is shorter than its Content-Length.', instance: SHIPMENTS },
  CREDENTIAL_IN_URL: {
    detail:
      'The query contains a credential, and URLs end up in logs and browser histories. Send it in the Authorization header, and revoke this one: consider it exposed.',
    instance: SHIPMENTS,
  },
  UNAUTHENTICATED: {
    detail: 'The request has no token. Send one in the header "Authorization: Bearer <ACCESS_TOKEN>".',
  },
  FORBIDDEN: {
    detail: 'The caller lacks the scope shipments:write, which this request requires.',
    members: { missingScope: 'shipments:write' },
  },
  NOT_FOUND: { detail: 'The service has no such path. Did you mean /v1/shipments?', instance: '/v1/shipment' },
  METHOD_NOT_ALLOWED: {
    detail: 'This path does not support DELETE. It supports GET, HEAD, OPTIONS, POST.',
    instance: SHIPMENTS,
  },
  NOT_ACCEPTABLE: {
    detail: 'This path returns only application/json or text/html. Allow it in the Accept header, or omit the header.',
  },
  REQUEST_TIMEOUT: {
    detail: 'The request did not arrive in full before the timeout. Send it again.',
    instance: SHIPMENTS,
  },
  STATUS_TRANSITION,
  DUPLICATE: {
    detail: 'The shipment already has a RECEIVING_AGENT. Change that agent, or delete it first.',
    instance: `${SHIPMENT}/agents`,
  },
  AMBIGUOUS_FILE: {
    detail: 'Some cells of the file can be read in several ways. Upload it again with dates or decimal, which say how.',
    instance: '/v1/imports/0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c/apply',
  },
  IN_USE: {
    detail: 'The move still has shipments. Delete them first.',
    instance: '/v1/moves/0199c3a0-7f00-7c1e-9a53-0f8e5d1c2b3a',
  },
  LIMIT_REACHED: {
    detail: 'You have created 1 webhook, which is the maximum (WEBHOOKS_PER_CALLER). Delete one first.',
    instance: '/v1/webhooks',
  },
  NOT_DELETED: {
    detail: 'The shipment exists: it was restored.',
    instance: `${SHIPMENT}/undelete`,
    members: { currentETag: EXAMPLE_ETAG, restoredBy: 'dispatcher-7', restoredAt: '2026-03-02T14:05:12.345Z' },
  },
  PARENT_DELETED: {
    detail: 'The move of this shipment was deleted. Restore the move first.',
    instance: `${SHIPMENT}/undelete`,
    members: { restorePath: '/v1/moves/0199c3a0-7f00-7c1e-9a53-0f8e5d1c2b3a/undelete' },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    detail: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  BULK_REFUSED: {
    detail: 'One item was refused, so none of the 2 was written. "items" lists the reasons in request order.',
    instance: `${SHIPMENTS}/bulk`,
    members: {
      items: [
        { status: 424 },
        { status: 409, problem: payloadOf('STATUS_TRANSITION', { ...STATUS_TRANSITION, instance: SHIPMENT }) },
      ],
    },
  },
  EVENTS_GONE: {
    detail:
      'This cursor was issued by another database, or before this one was restored from a backup. Read all records again, then continue after "oldest".',
    instance: '/v1/events',
    members: { oldest: EXAMPLE_CURSOR },
  },
  ERASED: { detail: 'The values of this version of the shipment were erased.', members: { erased: true } },
  NOT_KEPT: {
    detail: 'Imports are kept for 7 days after their upload, and for 7 days after they are applied.',
    instance: '/v1/imports/0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c',
  },
  PRECONDITION_FAILED: {
    detail:
      'A field that you write was changed to another value after the version that If-Match names. Check "changes", resolve each conflicting field, then repeat the request with currentETag. Nothing was written.',
    members: {
      currentETag: EXAMPLE_ETAG,
      changes: [
        {
          field: 'deliveryDate',
          base: '2026-04-15',
          yours: '2026-04-20',
          current: '2026-04-18',
          changedBy: 'dispatcher-7',
          changedAt: '2026-03-02T14:05:12.345Z',
          conflicting: true,
        },
        {
          field: 'customerRemarks',
          base: null,
          current: 'Please ring twice.',
          changedBy: 'dispatcher-7',
          changedAt: '2026-03-02T14:05:12.345Z',
          conflicting: false,
        },
      ],
    },
  },
  TOO_LARGE: { detail: 'The body must not be larger than 65536 bytes.', instance: SHIPMENTS },
  URI_TOO_LONG: { detail: 'The URL must not be longer than 8192 bytes.', instance: SHIPMENTS },
  UNSUPPORTED_MEDIA_TYPE: { detail: 'The Content-Type must be application/json, in UTF-8.', instance: SHIPMENTS },
  MISDIRECTED_REQUEST: {
    detail:
      'Without authentication, the service accepts only requests to localhost, to a loopback address, or to the host of PUBLIC_URL.',
    instance: SHIPMENTS,
  },
  VALIDATION_FAILED: {
    detail: 'The field /deliveryDtae is not a field of a shipment (did you mean deliveryDate?).',
    members: {
      errors: [
        {
          pointer: '/deliveryDtae',
          code: 'UNKNOWN_FIELD',
          message: 'is not a field of a shipment (did you mean deliveryDate?)',
        },
      ],
      errorCount: 1,
    },
  },
  IDEMPOTENCY_MISMATCH: {
    detail:
      'This Idempotency-Key was used for another request. Use a new key for each request, and reuse a key only to repeat the identical request.',
    instance: SHIPMENTS,
  },
  PRECONDITION_REQUIRED: {
    detail:
      "The header If-Match is missing. Send the eTag of the record that you last read, so that you do not overwrite someone else's change.",
  },
  RATE_LIMITED: {
    detail: 'A caller may send 600 requests per minute. Wait for Retry-After.',
    instance: SHIPMENTS,
  },
  HEADERS_TOO_LARGE: { detail: 'The request must not have more than 100 headers.', instance: SHIPMENTS },
  INTERNAL: { detail: 'The service failed unexpectedly. Include the requestID when you report it.' },
  UNAVAILABLE: {
    detail: 'Another transaction is using the record. Nothing was written. Try again in a moment.',
  },
  OUTCOME_UNKNOWN: {
    detail:
      'The connection to the database was lost during the commit. Repeat the request with the same Idempotency-Key: it takes effect only once.',
  },
};

export function problemExample(code: ProblemCode): Readonly<Record<string, unknown>> {
  return payloadOf(code, EXAMPLES[code]);
}

function payloadOf(code: ProblemCode, { detail, instance = SHIPMENT, members = {} }: Example): Record<string, unknown> {
  const requestID = '0199c3a0-bd40-7e80-90b9-6fe2bd7c8b90';
  return problemBody(new Problem(code, detail, { members }), { instance, requestID, baseUrl: '' });
}
