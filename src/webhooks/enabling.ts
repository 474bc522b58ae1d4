import type { PendingWrite } from '../records/pending-write.js';
import { LOCK_PROGRESS, RESUME } from './webhook-sql.js';
import type { DisabledReason, Webhook } from './webhook.entity.js';

/** The fields of an enabled webhook, or of one that is disabled for this reason. */
export function enabling(
  enabled: boolean,
  reason: DisabledReason = 'REQUESTED',
): Pick<Webhook, 'enabled' | 'disabledReason' | 'disabledAt'> {
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: reason, disabledAt: new Date().toISOString() };
}

/** Deliveries resume where they stopped. */
export function withResumption(write: PendingWrite): PendingWrite {
  const { recordID } = write;
  return write.preceded([
    { statement: LOCK_PROGRESS, values: [[recordID]] },
    { statement: RESUME, values: [recordID] },
  ]);
}
