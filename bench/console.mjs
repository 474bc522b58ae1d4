// How quickly the console can be used with many shipments:  npm run bench:console [-- --moves 33000]
// Needs Chromium. The browser measures itself: when the first card and row are there, and which tasks kept it from answering.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { chromium } from 'playwright-core';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { startService } from '../examples/race/throwaway-service.mjs';

const USAGE = `Measures the console in Chromium on a database of its own.

  npm run bench:console -- [--moves N] [--screens N] [--chromium PATH]

  --moves N        how many moves are made, with three shipments each on average (33000)
  --screens N      how many screens of the list are scrolled through (100)
  --chromium PATH  the browser (/usr/bin/chromium)`;

const { values } = readCommandLine(USAGE, {
  options: {
    moves: { type: 'string', default: '33000' },
    screens: { type: 'string', default: '100' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});

const WATCH_LONG_TASKS = `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true });`;

const postgres = await startThrowawayPostgres();
const environment = { PATH: process.env.PATH, DATABASE_URL: postgres.url };
let service;
let browser;
try {
  await promisify(execFile)(process.execPath, ['dist/src/commands/seed/main.js', '--moves', values.moves], {
    env: environment,
  });
  service = await startService({ ...environment, PORT: '0' });
  browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(WATCH_LONG_TASKS);
  for (const run of ['cold', 'warm']) {
    await page.goto(`${service.url}/console`);
    await page.locator('.card').first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.column .count:not(:empty)').length === 8);
    say(`board, ${run} cache: all columns after`, await page.evaluate(() => performance.now()));
  }
  await page.goto(`${service.url}/console/list`);
  await page.locator('.row-link').first().waitFor();
  say('list: first rows after', await page.evaluate(() => performance.now()));
  await page.evaluate(() => void (window.longTasks.length = 0));
  await page.locator('.scroller').hover();
  for (let screen = 0; screen < Number(values.screens); screen += 1) {
    await page.mouse.wheel(0, 800);
    await page.waitForTimeout(50);
  }
  const tasks = await page.evaluate(() => window.longTasks);
  say(
    `list: longest of ${tasks.length} tasks over 50 ms while ${values.screens} screens were scrolled`,
    Math.max(0, ...tasks),
  );
} finally {
  await browser?.close();
  await service?.stop();
  await postgres.stop();
}

function say(what, milliseconds) {
  process.stdout.write(`${what} ${Math.round(milliseconds)} ms\n`);
}
