import type { Fault } from './fault.js';

/** Faults in folders that the other lists do not touch. */
export const PLACES_FAULTS: readonly Fault[] = [
  {
    about: 'a shipment changes to any status',
    file: 'src/shipments/shipments.service.ts',
    find: '!allowed.includes(status)',
    replace: 'allowed === undefined',
    specs: ['test/shipments/status.spec.ts'],
  },
  {
    about: 'a change of an address makes another address of it',
    file: 'src/shipments/shipments.service.ts',
    find: 'withAddressIDs(fields, shipment.row)',
    replace: 'withAddressIDs(fields)',
    specs: ['test/shipments/addresses.spec.ts'],
  },
  {
    about: 'pipelined requests run at the same time',
    file: 'src/server/pipelining.ts',
    find: 'connection.last === response || connection.last.writableFinished',
    replace: 'connection.last !== undefined',
    specs: ['test/server/slow-readers.spec.ts'],
  },
  {
    about: 'connections stay open although nobody reads their responses',
    file: 'src/server/unread-responses.ts',
    find: 'socket.writableLength > 0 && socket.timeout !== timeoutMs',
    replace: 'socket.writableLength < 0',
    specs: ['test/server/slow-readers.spec.ts'],
  },
  {
    about: 'a problem lists any number of invalid fields',
    file: 'src/problem/problem.ts',
    find: 'errors.slice(0, MAX_FIELD_ERRORS)',
    replace: 'errors.slice(0)',
    specs: ['test/problem/errors.spec.ts'],
  },
  {
    about: 'a deadlock is an internal error',
    file: 'src/problem/database-problem.ts',
    find: '|40001|40P01|',
    replace: '|',
    specs: ['test/hostile/last-line.spec.ts'],
  },
  {
    about: 'the list of deletions ignores scopes',
    file: 'src/deletions/deletions.service.ts',
    find: 'kinds: kinds.length === RESTORABLE.length ? undefined : kinds',
    replace: 'kinds: resource === undefined ? undefined : kinds',
    specs: ['test/deletions/deletion-list.spec.ts', 'test/deletions/undelete-rights.spec.ts'],
  },
  {
    about: 'the example of a problem is not what the service says',
    file: 'src/api-texts/problem-types.ts',
    find: '(line 1, column 18)',
    replace: '(line 2, column 18)',
    specs: ['test/openapi/problem-examples.spec.ts'],
  },
];
