import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian keeps servers, which not every user has in the path. */
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
 * `describe` when the tools are there. Without them the tests are skipped, and say why, except in continuous integration:
 * there a missing tool is a failure, or nobody would notice that the tests no longer run.
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
