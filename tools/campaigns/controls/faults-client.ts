import type { Fault } from './fault.js';

/** Faults of the client, and of what it relies on. */
export const CLIENT_FAULTS: readonly Fault[] = [
  {
    about: 'a mirror applies an event over a gap',
    file: 'client/src/mirror.ts',
    find: `if (!isKnownChange(event) || data.previousETag !== record.eTag) return undefined;`,
    replace: `if (!isKnownChange(event)) return undefined;`,
    specs: ['test/client/mirror-model.spec.ts'],
  },
  {
    about: 'an answer takes a mirror back',
    file: 'client/src/mirror.ts',
    find: `if (newer === undefined || known === undefined || newer.updatedAt > known.updatedAt) this.set(id, newer, event);`,
    replace: `this.set(id, newer, event);`,
    specs: ['test/client/mirror-model.spec.ts'],
  },
  {
    about: 'a merge leaves out arrays by their shape',
    file: 'client/src/webhook-records.ts',
    find: `protected override readonly unreported = undefined;`,
    replace: `protected override readonly unreported = ['updatedAt', 'types'];`,
    specs: ['test/client/merged-resources.spec.ts'],
  },
  {
    about: 'the client follows redirects',
    file: 'client/src/http.ts',
    find: `const redirect = 'manual' as const;`,
    replace: `const redirect = 'follow' as const;`,
    specs: ['test/client/foreign-answers.spec.ts'],
  },
  {
    about: 'the client takes any JSON for what it asked for',
    file: 'client/src/answers.ts',
    find: `if (expected({ status, body })) return`,
    replace: `if (expected({ status, body }) || true) return`,
    specs: ['test/client/foreign-answers.spec.ts'],
  },
  {
    about: 'an address is merged field by field',
    file: 'src/writes/conflicting-fields.ts',
    find: `if (part === undefined) return`,
    replace: `return`,
    specs: ['test/writes/address-conflicts.spec.ts'],
  },
  {
    about: 'an event names a version that it does not follow',
    file: 'src/events/event.ts',
    find: `before?.[ETAG] ?? ''`,
    replace: `entry[ETAG]`,
    specs: ['test/events/previous-versions.spec.ts'],
  },
  {
    about: 'a column counts as changed although it was not',
    file: 'src/history/changes.ts',
    find: `isKnown && isSame(replaced, value)`,
    replace: `isKnown && column === 'id'`,
    specs: ['test/history/changes.spec.ts'],
  },
  {
    about: 'an array counts as changed although it was not',
    file: 'src/history/changes.ts',
    find: `JSON.stringify(one) === JSON.stringify(other)`,
    replace: `one === other`,
    specs: ['test/history/changes.spec.ts'],
  },
  {
    about: 'a quote in a text ends it',
    file: 'src/records/renderer.ts',
    find: `typeof value === 'string' && !ESCAPED.test(value)`,
    replace: `typeof value === 'string'`,
    specs: ['test/history/changes.spec.ts'],
  },
  {
    about: 'the client merges an address field by field where an older replica reports no conflict',
    file: 'client/src/update.ts',
    find: '!change.conflicting && !isInAddressOf(change, patch)',
    replace: '!change.conflicting',
    specs: ['test/client/older-replicas.spec.ts'],
  },
  {
    about: 'the client says that nothing was done when the service did not respond',
    file: 'client/src/errors.ts',
    find: '  mayBeDone = true;\n',
    replace: '  mayBeDone = false;\n',
    specs: ['test/client/proxies.spec.ts'],
  },
];
