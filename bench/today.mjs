// How quickly the landing page and the calendar can be used with many shipments:  npm run bench -- today
import { readCommandLine } from '../dist/src/config/command-line.js';
import { measured } from '../tools/evidence/measured.mjs';
import { measureConsole, say, wordsOf } from './console-stage.mjs';

const USAGE = `Measures Today and the calendar in Chromium on a database of its own.

  npm run bench -- today [--moves N] [--loads N] [--chromium PATH]

  --moves N        how many moves are made, with three shipments each on average (33333)
  --loads N        how often each view is loaded without a cache (9)
  --chromium PATH  the browser (/usr/bin/chromium-headless-shell)`;

const { values } = readCommandLine(USAGE, {
  options: {
    moves: { type: 'string', default: '33333' },
    loads: { type: 'string', default: '9' },
    chromium: { type: 'string', default: '/usr/bin/chromium-headless-shell' },
  },
});

/** Today has its numbers and bars, or the calendar its first shipment. */
const IS_USABLE = "document.querySelector('main svg rect') || document.querySelector('[data-shipment]')";

await measureConsole({ ...values, isUsable: IS_USABLE }, async (stage) => {
  await stage.measureLoads('Today', '/console', Number(values.loads));
  const page = await stage.newPage();
  await stage.open(page, '/console');
  const warm = await stage.open(page, '/console');
  say(`Today, warm cache: ${wordsOf(warm)}`);
  measured({ figures: { warm } });
  await stage.measureLoads('calendar', '/console/calendar', Number(values.loads));
});
