import type { Fault } from './fault.js';

/** Faults in what keeps the feed complete: restored months, and positions of history. */
export const FEED_FAULTS: readonly Fault[] = [
  {
    about: 'a month of another database is restored',
    file: 'tools/archive/restore.ts',
    find: '    await requireEvents(client, month, rows);\n',
    replace: '',
    specs: ['test/tools/restore-drill.spec.ts'],
  },
  {
    about: 'entries of another database pass for those of this one by their positions',
    file: 'tools/archive/is-event.ts',
    find: 'e.position = h.position AND e.root_id = h.root_id AND e.record_id = h.record_id',
    replace: 'e.position = h.position',
    specs: ['test/tools/restore-drill.spec.ts'],
    only: 'positions of events here',
  },
  {
    about: 'an entry that can never become an event is archived',
    file: 'tools/archive/archive.ts',
    find: '    await requireNumbers(client, table, month);\n',
    replace: '',
    specs: ['test/tools/archive-restore-orders.spec.ts'],
    only: 'can never become',
  },
  {
    about: 'a rejected restore stops every later archive',
    file: 'tools/archive/archive.ts',
    find: 'if (stored > 0) await',
    replace: 'await',
    specs: ['test/tools/archive-restore-orders.spec.ts'],
    only: 'rejected restore',
  },
  {
    about: 'the file of a month depends on the settings of the session',
    file: 'tools/archive/archive.ts',
    find: "  await client.query(`SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'`);\n",
    replace: '',
    specs: ['test/tools/archive-restore-orders.spec.ts'],
    only: 'equal entries',
  },
  {
    about: 'a month is archived that a webhook still has to send',
    file: 'tools/archive/archive.ts',
    find: '    await requireDeliveries(client, table, month);\n',
    replace: '',
    specs: ['test/tools/event-archive.spec.ts'],
    only: 'a month stays',
  },
  {
    about: 'the service is ready although new changes would not become events',
    file: 'src/history/positions.ts',
    find: 'BigInt(drawn) >= BigInt(highest)',
    replace: 'BigInt(highest) > 0n',
    specs: ['test/history/history-positions.spec.ts'],
  },
  {
    about: 'an archived event hides the kept ones before it',
    file: 'src/events/events.service.ts',
    find: 'this.log.beginning(filter)',
    replace: 'this.log.newest()',
    specs: ['test/tools/event-archive.spec.ts'],
  },
];
