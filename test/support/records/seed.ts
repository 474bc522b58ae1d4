import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the real program, as `npm run seed` does, and returns its output. */
export async function seed(url: string, options: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/tools/seed/main.js', ...options], {
    env,
  });
  return stdout;
}
