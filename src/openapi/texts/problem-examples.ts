import type { ProblemCode } from '../../problem/catalogue.js';
import { EXAMPLE_ETAG } from './fields.js';

/** What the problems with members of their own show in their examples. */
export const MEMBER_EXAMPLES: Readonly<Partial<Record<ProblemCode, object>>> = {
  INVALID_PARAMETER: {
    errors: [{ pointer: '?limit', code: 'INVALID_VALUE', message: 'must be a whole number from 1 to 200' }],
    errorCount: 1,
  },
  VALIDATION_FAILED: {
    errors: [{ pointer: '/shipmentType', code: 'REQUIRED', message: 'is required' }],
    errorCount: 1,
  },
  FORBIDDEN: { missingScope: 'shipments:write' },
  STATUS_TRANSITION: { currentStatus: 'IN_TRANSIT', allowedStatuses: ['DELIVERED', 'DIVERSION_REQUESTED'] },
  PRECONDITION_FAILED: {
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
    ],
  },
};
