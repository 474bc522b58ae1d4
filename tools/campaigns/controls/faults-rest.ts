import type { Fault } from './faults.js';

/** Faults of limits, keys and bulks. */
export const REST_FAULTS: readonly Fault[] = [
  {
    about: 'a bulk counts its request besides its items',
    file: 'src/http/rate-limit.ts',
    find: '    limiterOf(request).giveBack(callerKeyOf(request));\n',
    replace: '',
    specs: ['test/bulk/bulk-limit.spec.ts'],
  },
  {
    about: 'a bulk that never fits is told to wait',
    file: 'src/http/rate-limit.ts',
    find: 'if (items > requestsPerMinute) {',
    replace: 'if (items > Infinity) {',
    specs: ['test/bulk/bulk-limit.spec.ts'],
  },
  {
    about: 'Retry-After of a full key allowance names the first hour that expires',
    file: 'src/writes/idempotency/key-allowance.ts',
    find: '(excess -= counted) <= 0',
    replace: 'counted > 0',
    specs: ['test/writes/idempotency-limit.spec.ts'],
  },
  {
    about: 'an id in capitals is another path for a key',
    file: 'src/writes/idempotency/request-identity.ts',
    find: 'isUUID(name) ? name.toLowerCase() : name.toUpperCase()',
    replace: 'name',
    specs: ['test/writes/canonical-paths.spec.ts'],
  },
  {
    about: 'the document demands a token of a service without authentication',
    file: 'src/openapi/openapi.controller.ts',
    find: 'this.api.served',
    replace: 'this.api.document',
    specs: ['test/openapi/served-document.spec.ts'],
  },
  {
    about: 'a database of unknown migrations is migrated',
    file: 'src/database/migrate.ts',
    find: '    if (pending.length > 0) await requireKnown(executor, dataSource);\n',
    replace: '',
    specs: ['test/database/migrations.spec.ts'],
    only: 'unknown migrations',
  },
  {
    about: 'timeouts may end in any order',
    file: 'src/config/cross-checks.ts',
    find: 'faults.push(...timeoutFaults(config));',
    replace: '',
    specs: ['test/config/config-faults.spec.ts'],
  },
];
