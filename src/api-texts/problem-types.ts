import { BULK_REFUSED } from '../bulk/bulk-refused.js';
import { EVENTS_GONE } from '../events/events-gone.js';
import { AMBIGUOUS_FILE, MALFORMED_FILE } from '../imports/import-problems.js';
import { MOVES } from '../model/move.entity.js';
import { SHIPMENTS as RESOURCE } from '../model/shipment.entity.js';
import { examplePayload, type FeatureProblem, type ProblemExample } from '../openapi/problem-example.js';
import { PROBLEMS, typeOf, type ProblemCode } from '../problem/catalogue.js';
import { STATUS_TRANSITION } from '../shipments/status-transition.js';
import { EXAMPLE_ETAG } from '../validation/json-schema.js';

const SHIPMENTS = RESOURCE.path;
const SHIPMENT = `${SHIPMENTS}/${RESOURCE.exampleID}`;
const MOVE = `${MOVES.path}/${MOVES.exampleID}`;

/** Examples of the problems that any part of the service can have, without `instance` if it is a shipment. A spec provokes all of them. */
const EXAMPLES: Readonly<Record<ProblemCode, Omit<ProblemExample, 'instance'> & Partial<ProblemExample>>> = {
  MALFORMED_JSON: { detail: 'The body must have a JSON value here (line 1, column 18).', instance: SHIPMENTS },
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
  DUPLICATE: {
    detail: 'The shipment already has a RECEIVING_AGENT. Change that agent, or delete it first.',
    instance: `${SHIPMENT}/agents`,
  },
  IN_USE: {
    detail: 'The move still has shipments. Delete them first.',
    instance: MOVE,
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
    members: { restorePath: `${MOVE}/undelete` },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    detail: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
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

/** Every error that the service can respond with, by status. */
export const PROBLEM_TYPES: readonly FeatureProblem[] = [
  ...(Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    return { ...typeOf(code), example: { instance: SHIPMENT, ...EXAMPLES[code] } };
  }),
  ...[MALFORMED_FILE, STATUS_TRANSITION, AMBIGUOUS_FILE, BULK_REFUSED, EVENTS_GONE],
].sort((one, other) => one.status - other.status);

export function problemExample(code: string): object {
  const type = PROBLEM_TYPES.find((each) => each.code === code);
  if (type === undefined) throw new Error(`Add ${code} to PROBLEM_TYPES in api-texts/problem-types.ts`);
  return examplePayload(type, type.example);
}
