import { chromium, type Browser } from 'playwright-core';
import { describeWith, findTool } from './tools.js';

/** Chromium without a user interface of its own, which takes about half of the processor time of the browser that has one. */
const BROWSER = 'chromium-headless-shell';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** `describe` when there is a browser. */
export function describeInBrowser(title: string, tests: () => void): void {
  describeWith([BROWSER], title, tests);
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findTool(BROWSER) ?? '', args: FLAGS });
}
