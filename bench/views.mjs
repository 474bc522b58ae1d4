// How quickly the views of two checkouts can be used with many shipments:  npm run bench -- views VERSION
import { readCommandLine, rejectCommandLine } from '../dist/src/config/command-line.js';
import { otherVersion, prepareVersion } from '../tools/campaigns/earlier-version.mjs';
import { measured, median } from '../tools/evidence/measured.mjs';
import { launch, say, Stage, startSeeded } from './console-stage.mjs';

const USAGE = `Compares how quickly the views of this checkout and of another one can be used in Chromium, in rounds that take turns.

  npm run bench -- views VERSION [--moves N] [--rounds N] [--chromium PATH]

  --moves N        how many moves are made, with three shipments each on average (33333)
  --rounds N       after one that does not count (7)
  --chromium PATH  the browser (/usr/bin/chromium-headless-shell)

VERSION is a commit, or the folder of another checkout. It is installed and built if needed.`;

const { values, positionals } = readCommandLine(USAGE, {
  allowPositionals: true,
  options: {
    moves: { type: 'string', default: '33333' },
    rounds: { type: 'string', default: '7' },
    chromium: { type: 'string', default: '/usr/bin/chromium-headless-shell' },
  },
});
const other = otherVersion(positionals[0]);
if (other === undefined) rejectCommandLine(USAGE, 'Name the other version.');

/** When a view can be used. Whatever else a version shows comes later. */
const VIEWS = {
  Today: ['/console', "document.querySelector('main svg rect')"],
  board: [
    '/console/board',
    "[...document.querySelectorAll('section:has(> header > h2)')].filter((column) => column.querySelector('article, p')).length === 8",
  ],
  list: ['/console/list', "document.querySelector('[role=cell] a')"],
  calendar: ['/console/calendar', "document.querySelector('[data-shipment]')"],
};

const folder = prepareVersion(other);
measured({ settings: { moves: Number(values.moves), rounds: Number(values.rounds), other: other.commit } });

const sides = {};
const browser = await launch(values.chromium);
try {
  for (const [side, checkout] of Object.entries({ this: undefined, other: folder })) {
    process.stderr.write(`Starting ${side} with ${values.moves} moves.\n`);
    sides[side] = await startSeeded(values.moves, checkout);
  }
  for (const [view, [path, isUsable]] of Object.entries(VIEWS)) say(lineOf(view, await measure(path, isUsable)));
} finally {
  await browser.close();
  for (const side of Object.values(sides)) await side.stop();
}

/** The milliseconds of each round, without a cache. Whoever is first in one round is last in the next; round 0 does not count. */
async function measure(path, isUsable) {
  const figures = { this: [], other: [] };
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const order = round % 2 === 0 ? ['this', 'other'] : ['other', 'this'];
    for (const side of order) {
      const { after } = await new Stage(sides[side].url, browser, isUsable).load(path);
      if (round > 0) figures[side].push(after);
    }
  }
  return figures;
}

function lineOf(view, { this: own, other }) {
  const [mine, theirs] = [median(own), median(other)];
  measured({ figures: { [view]: { this: mine, other: theirs, ratio: mine / theirs } } });
  const words = `${Math.round(mine)} ms, other ${Math.round(theirs)} ms, ratio ${(mine / theirs).toFixed(2)}`;
  return `${view.padEnd(9)} ${words} (medians of ${own.length} rounds)`;
}
