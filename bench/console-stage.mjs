// A service with many shipments and a browser, for the benchmarks of the console.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { chromium } from 'playwright-core';
import { measured } from '../tools/evidence/measured.mjs';
import { startService } from '../examples/race/throwaway-service.mjs';

/** Marks the frame in which a view can be used, by an expression that finds out, and keeps tasks over 50 ms. */
function watch(isUsable) {
  return `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask', buffered: true });
const look = () => {
  if (${isUsable}) performance.mark('usable');
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);`;
}

/** Starts everything on a database of its own, measures, and stops it again. */
export async function measureConsole({ moves, chromium: executablePath, isUsable }, measure) {
  const service = await startSeeded(moves);
  try {
    const browser = await launch(executablePath);
    measured({ settings: { moves: Number(moves) }, versions: { chromium: browser.version() } });
    await measure(new Stage(service.url, browser, isUsable)).finally(() => browser.close());
  } finally {
    await service.stop();
  }
}

export function launch(executablePath) {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** The service of this checkout, or of that in a folder, on a database of its own with many moves. */
export async function startSeeded(moves, folder) {
  const postgres = await startThrowawayPostgres();
  const environment = { PATH: process.env.PATH, DATABASE_URL: postgres.url };
  try {
    const seed = ['dist/tools/seed/main.js', '--moves', moves];
    await promisify(execFile)(process.execPath, seed, { env: environment, cwd: folder });
    const service = await startService({ ...environment, PORT: '0' }, folder);
    const stop = async () => {
      await service.stop();
      await postgres.stop();
    };
    return { url: service.url, stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

export class Stage {
  constructor(url, browser, isUsable) {
    this.url = url;
    this.browser = browser;
    this.script = watch(isUsable);
  }

  /** In a context of its own: nothing is in the cache of the browser. */
  async newPage() {
    const page = await this.browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(this.script);
    return page;
  }

  async open(page, path) {
    await page.goto(this.url + path);
    await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0);
    return page.evaluate(() => ({
      after: performance.getEntriesByName('usable')[0].startTime,
      longest: Math.max(0, ...window.longTasks),
    }));
  }

  /** The first load of the service, and the median of many without a cache. */
  async measureLoads(name, path, loads) {
    const first = await this.load(path);
    say(`${name}, first request of the service: ${wordsOf(first)}`);
    const cold = [];
    for (let load = 0; load < loads; load += 1) cold.push(await this.load(path));
    cold.sort((one, other) => one.after - other.after);
    const middle = cold[Math.floor(cold.length / 2)];
    say(`${name}, cold cache, median of ${loads}: ${wordsOf(middle)}`);
    measured({ figures: { loads, [name]: { first, cold: middle } } });
  }

  async load(path) {
    for (;;) {
      const page = await this.newPage();
      try {
        return await this.open(page, path);
      } catch (error) {
        // A network interface of the machine has come or gone, which ends the requests of a browser.
        if (!error.message.includes('ERR_NETWORK_CHANGED')) throw error;
      } finally {
        await page.close();
      }
    }
  }
}

export function wordsOf({ after, longest }) {
  return `usable after ${Math.round(after)} ms, longest task ${Math.round(longest)} ms`;
}

export function say(line) {
  process.stdout.write(`${line}\n`);
}
