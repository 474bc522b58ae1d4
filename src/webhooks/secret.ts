import { randomBytes } from 'node:crypto';
import type { Statement } from '../database/statement.js';
import type { ExtendedRecord } from '../openapi/response.js';
import type { PendingWrite } from '../records/pending-write.js';

/** Standard Webhooks allows 24 to 64 bytes. */
const BYTES = 32;

/**
 * Adds a statement that stores a new secret for the record of a write, and shows the secret in the response. With an Idempotency-Key, the
 * stored response contains it for a day: a repetition must show it again, and the database has it anyway.
 */
export function withSecret(write: PendingWrite, statement: Statement): PendingWrite {
  const secret = `whsec_${randomBytes(BYTES).toString('base64')}`;
  return write.preceded([{ statement, values: [write.recordID, secret] }]).shownAs((record) => record.with({ secret }));
}

export const WITH_SECRET: ExtendedRecord = {
  name: 'WebhookWithSecret',
  description: 'A webhook and its new secret.',
  properties: {
    secret: {
      type: 'string',
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      description: 'Signs the deliveries. No other response shows it: store it now.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    },
  },
};
