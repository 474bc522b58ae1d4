import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's folders for servers, which are not in every user's PATH. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The path of an installed program. */
export function findTool(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * `describe` if the tools are installed. Otherwise skips the tests with a reason, except in CI, where a missing tool is a failure.
 */
export function describeWith(tools: readonly string[], title: string, tests: () => void): void {
  const missing = tools.filter((tool) => findTool(tool) === undefined);
  if (missing.length === 0) {
    describe(title, tests);
    return;
  }
  const advice = `needs ${missing.join(', ')}: run scripts/install-test-tools.sh`;
  if (process.env['CI'] === undefined) describe.skip(`${title} (${advice})`, tests);
  else test(title, () => Promise.reject(new Error(`This test ${advice}`)));
}
