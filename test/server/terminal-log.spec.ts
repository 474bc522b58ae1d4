// Not through PgBouncer: it starts programs and services on a database of its own.
import { pino } from 'pino';
import { Database } from '../../src/database/database.js';
import { terminalLog } from '../../src/operations/terminal-log.js';
import { isEmpty } from '../../src/moves/any-move.js';
import { welcome } from '../../src/operations/welcome.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

function logged(write: (logger: pino.Logger) => void): string {
  let text = '';
  write(pino({ base: null }, terminalLog({ write: (line) => (text += line) })));
  return text.replace(/^\d\d:\d\d:\d\d /, '');
}

describe('the log on a terminal', () => {
  it.each<[string, (logger: pino.Logger) => void, string]>([
    ['shows a message as it is', (logger) => logger.info('Stopped'), 'Stopped\n'],
    ['marks warnings', (logger) => logger.warn('Careful'), 'WARNING Careful\n'],
    [
      'shows what comes with an error',
      (logger) => logger.error({ requestID: 'abc', stack: 'Error: no\n    at x' }, 'Failed'),
      'ERROR Failed {"requestID":"abc"}\nError: no\n    at x\n',
    ],
    [
      'shows a request in one line',
      (logger) =>
        logger.info({
          msg: 'request',
          method: 'PATCH',
          route: '/v1/shipments/:shipmentID',
          status: 412,
          code: 'PRECONDITION_FAILED',
          durationMs: 3.14159,
          requestID: 'abc',
        }),
      'PATCH /v1/shipments/:shipmentID 412 PRECONDITION_FAILED 3.1 ms abc\n',
    ],
    ['does not pass control characters on', (logger) => logger.info('a\u001b[2Jb\u0007\u009b'), 'a?[2Jb??\n'],
  ])('%s', (_, write, expected) => {
    expect(logged(write)).toBe(expected);
  });
});

describe('the welcome on a terminal', () => {
  it.each([
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://0.0.0.0:3000', 'http://localhost:3000'],
    ['http://[::]:8080', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://localhost:8080'],
    ['https://192.0.2.7:3000', 'https://192.0.2.7:3000'],
  ])('of a service that listens on %s names an address that a browser can open', (listening, address) => {
    const text = welcome(listening, '/home/somebody/waybill/.data', true);
    expect(text).toMatch(/^\nWaybill is running\.\n\n {2}Console {3}(\S+)\/console\n/);
    expect(text).toContain(` ${address}/console\n`);
    expect(text).toContain(` ${address}\n`);
    expect(text).toContain(` ${address}/docs\n`);
    expect(text).toContain(' /home/somebody/waybill/.data\n');
  });

  describe('says where to get examples', () => {
    const service = useService();
    const isEmptyNow = () => isEmpty(service.app.get(Database));

    it('if the database has no records, and in which way depends on the database', () => {
      expect(welcome('http://127.0.0.1:3000', '/.data', true)).toMatch(/^ {2}Examples {2}load them in the console$/m);
      expect(welcome('http://127.0.0.1:3000', undefined, true)).toMatch(/^ {2}Examples {2}npm run seed$/m);
      expect(welcome('http://127.0.0.1:3000', '/.data', false)).not.toContain('Examples');
    });

    it('not if it has any, nor if it has no schema yet', async () => {
      expect(await isEmptyNow()).toBe(true);
      await createMove(service.api);
      expect(await isEmptyNow()).toBe(false);
      await service.sql.query('ALTER TABLE moves RENAME TO other_moves');
      expect(await isEmptyNow()).toBe(false);
    });
  });
});
