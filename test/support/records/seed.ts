import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readOptions } from '../../../tools/seed/options.js';
import { seedDatabase } from '../../../tools/seed/seed-database.js';
import { SHIPMENT_TYPES } from '../../../tools/seed/vocabulary.js';

export const UNTIL = '2026-01-31T00:00:00Z';
export const MOVES = 100;

/** Runs the real program, as `npm run seed` does, and returns its output. */
export async function seed(
  url: string,
  { words = [], environment = {} }: { words?: string[]; environment?: Record<string, string> } = {},
): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url, ...environment };
  const options = ['--moves', String(MOVES), '--seed', '7', '--until', UNTIL, ...words];
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/tools/seed/main.js', ...options], { env });
  return stdout;
}

/** Does what the program does, without starting it. */
export async function seedHere(
  url: string,
  { moves = 100, number = 7, week = false, deliver = false } = {},
): Promise<void> {
  const options = readOptions({ moves: String(moves), seed: String(number), week, until: UNTIL, deliver }, Date.now());
  await seedDatabase(url, { ...options, shipmentTypes: SHIPMENT_TYPES }, () => undefined);
}
