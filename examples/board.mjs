// A live board of all shipments:  npm run demo -- board [-- http://localhost:3000]
// Without a URL it starts a temporary service and database with simulated traffic.
import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { Board } from './board/board.mjs';
import { makeTraffic } from './board/traffic.mjs';
import { startThrowawayService } from './race/throwaway-service.mjs';

const USAGE = `Shows how many shipments have which status, and what changed last, as it happens.

  npm run demo -- board [ADDRESS] [--changes N]

  ADDRESS      URL of a service, such as http://localhost:3000; by default a temporary one with simulated traffic
  --changes N  end after so many changes; without it, Ctrl-C does`;

const { positionals, values } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: { changes: { type: 'string', default: 'Infinity' } },
});
const [address] = positionals;
const service = address === undefined ? await startThrowawayService() : { url: address, stop: () => undefined };
const client = new WaybillClient({ baseUrl: service.url });
const ending = new AbortController();
process.once('SIGINT', () => ending.abort());

const { signal } = ending;
const board = new Board(process.stdout);
let changes = 0;
try {
  const mirror = await client.shipments.mirror({
    signal,
    onChange: (change) => {
      board.note(change);
      changes += 1;
      if (changes >= Number(values.changes)) ending.abort();
    },
  });
  board.show(mirror.records);
  const traffic = address === undefined ? makeTraffic(client, signal) : undefined;
  await mirror.ended;
  await traffic;
  board.end();
} finally {
  await service.stop();
}
