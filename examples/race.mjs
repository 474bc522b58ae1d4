// 16 clients write to one shipment at the same time:  npm run demo -- race [-- http://localhost:3000]
// Without a URL it starts a temporary service and database.
import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { startThrowawayService } from './race/throwaway-service.mjs';
import { ENTRIES, STRATEGIES, WRITERS, entriesIn, entryOf } from './race/strategies.mjs';
import { View } from './race/view.mjs';

const LOOK_EVERY_MS = 250;

const USAGE = `Lets 16 clients write to one shipment at the same time, in three ways, and shows what is left of their writes.

  npm run demo -- race [ADDRESS]

  ADDRESS  URL of a service, such as http://localhost:3000; by default a temporary one`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const [address] = positionals;
const service = address === undefined ? await startThrowawayService() : { url: address, stop: () => undefined };
const observer = new WaybillClient({ baseUrl: service.url });
const view = new View(process.stdout, `${WRITERS} clients, ${ENTRIES} entries each, into the remarks of one shipment`);

/** Starts all writers and polls the shipment. Its content at the end is the result. */
async function race({ title, explanation, add }) {
  const { id } = await observer.shipments.create({ shipmentType: 'HHG' });
  const score = { told: 0, refused: 0, kept: 0, wanted: WRITERS * ENTRIES };
  const lane = view.lane(title, explanation, score);
  const write = async (writer) => {
    const addOne = add(new WaybillClient({ baseUrl: service.url }).shipments, id);
    for (let turn = 0; turn < ENTRIES; turn += 1) {
      if (await addOne(entryOf(writer, turn))) score.told += 1;
      else score.refused += 1;
    }
  };
  let running = true;
  const watch = async () => {
    while (running) {
      score.kept = entriesIn(await observer.shipments.get(id));
      lane.show();
      await sleep(LOOK_EVERY_MS);
    }
  };
  const watching = watch();
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  running = false;
  await watching;
  score.kept = entriesIn(await observer.shipments.get(id));
  lane.end();
  await observer.shipments.delete(id);
  return score;
}

try {
  for (const strategy of STRATEGIES) await race(strategy);
} finally {
  await service.stop();
}
