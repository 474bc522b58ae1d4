import { KEY_PATTERN } from '../auth/key-text.js';
import type { ExtendedRecord } from '../openapi/response.js';

export const SHOWN_ONCE: ExtendedRecord = {
  name: 'KeyShownOnce',
  description: 'A key record and, once, the key itself.',
  properties: {
    key: {
      type: ['string', 'null'],
      pattern: KEY_PATTERN,
      description:
        'Send it as `Authorization: Bearer <key>`. It is stored nowhere: if the request is repeated with its Idempotency-Key, it is null.',
      examples: ['wb_7Kq2mZ0xv9TtYb4PzQ1LhWc8RdNs5JfGuE3aXoVi6My4zT1kB'],
    },
    notice: {
      type: 'string',
      description: 'How to get a key that is null, or what to do with it.',
      examples: ['No other response shows this key. Store it now.'],
    },
  },
};
