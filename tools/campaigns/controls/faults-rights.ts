import type { Fault } from './faults.js';

/** Faults in preconditions, in tokens, in the rights to webhooks and deliveries, and in what a lost COMMIT is found by. */
export const RIGHTS_FAULTS: readonly Fault[] = [
  {
    about: 'a bare If-Match must look like an eTag of this service',
    file: 'src/etag/entity-tags.ts',
    find: 'if (BARE_TAG.test(value))',
    replace: 'if (isETag(value))',
    specs: ['test/etag/bare-tags.spec.ts', 'test/etag/preconditions.spec.ts'],
  },
  {
    about: 'a token for another audience is accepted',
    file: 'src/auth/token-verifier.ts',
    find: '        ...(this.config.JWT_AUDIENCE !== undefined && { audience: this.config.JWT_AUDIENCE }),\n',
    replace: '',
    specs: ['test/auth/token-claims.spec.ts'],
  },
  {
    about: 'a token that is none for an API is accepted',
    file: 'src/auth/token-verifier.ts',
    find: 'if (!TOKEN_TYPES.includes(type))',
    replace: 'if (type === undefined)',
    specs: ['test/auth/tokens.spec.ts'],
  },
  {
    about: 'the scopes of a webhook are not checked',
    file: 'src/writes/if-match.guard.ts',
    find: 'if (missing === undefined) return;',
    replace: 'return;',
    specs: ['test/webhooks/webhook-scopes.spec.ts'],
  },
  {
    about: 'a webhook tells the id of a code to those who may not read the record',
    file: 'src/webhooks/webhook-rights.ts',
    find: `typeof name === 'string' && !isUUID(name)`,
    replace: `typeof name === 'symbol' && !isUUID(name)`,
    specs: ['test/webhooks/webhook-scopes.spec.ts'],
    only: 'a code in',
  },
  {
    about: 'null for all types needs no scope',
    file: 'src/webhooks/webhook-rights.ts',
    find: 'return Array.isArray(types) ? types.filter(isEventType) : null;',
    replace: 'return Array.isArray(types) ? types.filter(isEventType) : undefined;',
    specs: ['test/webhooks/webhook-rights.spec.ts'],
  },
  {
    about: 'a secret is rotated for callers who may not read what it signs',
    file: 'src/webhooks/webhooks.controller.ts',
    find: 'scopesFor: scopesToRead, ',
    replace: '',
    specs: ['test/webhooks/webhook-rights.spec.ts'],
  },
  {
    about: 'answers of receivers are shown to everybody',
    file: 'src/deliveries/deliveries-sql.ts',
    find: `CASE WHEN split_part(d.type, '.', 1) = ANY (\${readableKinds}::text[]) THEN a.answer END`,
    replace: `CASE WHEN \${readableKinds}::text[] IS NOT NULL THEN a.answer END`,
    specs: ['test/deliveries/answers-shown.spec.ts'],
  },
  {
    about: 'a service that owns its tables does not warn',
    file: 'src/database/service-rights.ts',
    find: `UNION ALL
      SELECT FROM pg_proc`,
    replace: `AND false UNION ALL
      SELECT FROM pg_proc`,
    specs: ['test/server/role-separation.spec.ts'],
  },
  {
    about: 'a redelivery whose COMMIT was lost is taken for done',
    file: 'src/deliveries/deliveries-sql.ts',
    find: 'EXISTS (SELECT FROM webhook_requests WHERE id = $4)',
    replace: '$4::uuid IS NOT NULL',
    specs: ['test/deliveries/lost-commits.spec.ts'],
  },
  {
    about: 'all attempts of a delivery are shown',
    file: 'src/deliveries/deliveries-sql.ts',
    find: 'ORDER BY attempted_at DESC LIMIT ${KEPT_ATTEMPTS}',
    replace: 'ORDER BY attempted_at DESC',
    specs: ['test/deliveries/many-attempts.spec.ts'],
  },
];
