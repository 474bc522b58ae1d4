import type { Fault } from './fault.js';

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
    about: 'an id in capitals is another path for a key, and a code in lower case names no record',
    file: 'src/validation/json-schema.ts',
    find: 'isUUID(written) ? written.toLowerCase() : written.toUpperCase()',
    replace: 'written',
    specs: ['test/writes/canonical-paths.spec.ts', 'test/shipments/shipment-codes.spec.ts'],
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
  {
    about: 'a production service without DATABASE_URL starts with an empty database',
    file: 'src/config/cross-checks.ts',
    find: 'config.DATABASE_URL === undefined && !config.isEmbedded',
    replace: 'config.isEmbedded',
    specs: ['test/config/config-faults.spec.ts'],
  },
  {
    about: 'a migration can be undone',
    file: 'migrations/migrations.ts',
    find: '  prototype.down = ',
    replace: '  (prototype as { undo?: unknown }).undo = ',
    specs: ['test/database/migrations.spec.ts'],
  },
  {
    about: "class-validator's own rules are ignored",
    file: 'src/validation/fields-of.ts',
    find: '    requireOwn(type, rules);\n',
    replace: '',
    specs: ['test/validation/foreign-rules.spec.ts'],
  },
  {
    about: 'the welcome offers examples for a database with records',
    file: 'src/moves/any-move.ts',
    find: 'moves?.length === 0',
    replace: 'moves !== undefined',
    specs: ['test/server/terminal-log.spec.ts'],
  },
];
