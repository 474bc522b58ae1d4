import { chromium, type Browser } from 'playwright-core';
import { describeWith, findTool } from './tools.js';

/** Headless Chromium, which takes about half the CPU time of the full browser. */
const BROWSER = 'chromium-headless-shell';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** `describe` if a browser is installed. */
export function describeInBrowser(title: string, tests: () => void): void {
  describeWith([BROWSER], title, tests);
}

export function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: findTool(BROWSER) ?? '', args: [...FLAGS, ...flags] });
}
