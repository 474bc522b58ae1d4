// How quickly the console can be used with many shipments, and what live changes cost the tab:  npm run bench -- console
// Needs Chromium. The browser measures itself: marks, tasks that kept it from answering, and what is left after garbage collection.
import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { measured } from '../tools/evidence/measured.mjs';
import { measureConsole, say, wordsOf } from './console-stage.mjs';

const USAGE = `Measures the console in Chromium on a database of its own.

  npm run bench -- console [--moves N] [--loads N] [--screens N] [--minutes N] [--chromium PATH]

  --moves N        how many moves are made, with three shipments each on average (33333)
  --loads N        how often the board is loaded without a cache (9)
  --screens N      how many screens of the list are scrolled through (100)
  --minutes N      how long the board follows changes, ten a second where the machine can (10)
  --chromium PATH  the browser (/usr/bin/chromium-headless-shell)`;

const { values } = readCommandLine(USAGE, {
  options: {
    moves: { type: 'string', default: '33333' },
    loads: { type: 'string', default: '9' },
    screens: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '10' },
    chromium: { type: 'string', default: '/usr/bin/chromium-headless-shell' },
  },
});

const WRITES_A_SECOND = 10;
/** The board has all columns, or the list its first row. */
const IS_USABLE =
  "document.querySelectorAll('section > header > h2 + span:not(:empty)').length === 8 || document.querySelector('[role=cell] a')";

await measureConsole({ ...values, isUsable: IS_USABLE }, async (stage) => {
  await stage.measureLoads('board', '/console/board', Number(values.loads));
  const page = await stage.newPage();
  await stage.open(page, '/console/board');
  const warm = await stage.open(page, '/console/board');
  say(`board, warm cache: ${wordsOf(warm)}`);
  const list = await stage.open(page, '/console/list');
  say(`list, first rows: ${wordsOf(list)}`);
  measured({ figures: { warm, list } });
  await scroll(page);
  await followChanges(page, stage.url);
});

async function scroll(page) {
  await page.evaluate(() => void (window.longTasks.length = 0));
  await page.locator('[role="table"] > [role="rowgroup"]').last().hover();
  for (let screen = 0; screen < Number(values.screens); screen += 1) {
    await page.mouse.wheel(0, 800);
    await page.waitForTimeout(50);
  }
  const tasks = await page.evaluate(() => window.longTasks);
  const longest = Math.round(Math.max(0, ...tasks));
  measured({ figures: { screens: Number(values.screens), longTasks: tasks.length, longestTask: longest } });
  say(`list: ${values.screens} screens scrolled, ${tasks.length} tasks over 50 ms, the longest ${longest} ms`);
}

/** The board while others work: what the tab holds once its garbage is collected, minute by minute. */
async function followChanges(page, url) {
  await page.goto(`${url}/console/board`);
  await page.getByText('Live', { exact: true }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const ending = new AbortController();
  const working = work(url, ending.signal);
  const live = [];
  for (let minute = 0; minute <= Number(values.minutes); minute += 1) {
    if (minute > 0) await sleep(60_000);
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const value = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const [megabytes, nodes] = [value('JSHeapUsedSize') / 2 ** 20, value('Nodes')];
    say(`live, minute ${minute}: ${megabytes.toFixed(1)} MB of heap, ${nodes} nodes`);
    live.push({ megabytes, nodes });
  }
  ending.abort();
  const changes = await working;
  say(`live: ${changes} changes were made`);
  const heaps = live.map(({ megabytes }) => megabytes);
  const heap = { first: heaps[0], least: Math.min(...heaps), most: Math.max(...heaps), last: heaps.at(-1) };
  const nodes = { first: live[0].nodes, last: live.at(-1).nodes };
  measured({ figures: { changes, minutes: Number(values.minutes), heapMegabytes: heap, nodes } });
}

/** Changes what the board shows, and adds to it, at a steady pace; the number of changes. */
async function work(url, signal) {
  const client = new WaybillClient({ baseUrl: url });
  const { items } = await client.shipments.list({ status: ['SUBMITTED'], sort: 'deliveryDate', limit: 50 }).page();
  let made = 0;
  for (; !signal.aborted; made += 1) {
    if (made % 10 === 0) await client.shipments.create({ shipmentType: 'HHG' });
    else await client.shipments.update(items[made % items.length].id, { estimatedWeight: 1000 + (made % 9000) });
    await sleep(1000 / WRITES_A_SECOND, undefined, { signal }).catch(() => undefined);
  }
  return made;
}
