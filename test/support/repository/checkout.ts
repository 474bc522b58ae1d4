import { chmod, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Ignored files, and .git itself. */
const MADE_BY_RUNNING = /(^|\/)(node_modules|dist|dist-nest|coverage|bench\/results|\.git|\.data|\.env|\.prepare.*)$/;

export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Everything that `scripts/prepare.mjs` builds. */
const BUILDS = ['packages/embedded-postgres/dist', 'dist', 'client/dist', 'console/dist'];

/**
 * A copy of the sources like a fresh clone. It shares the packages to save an installation, and contains all builds that the test does not
 * want to run: each takes 5 to 30 seconds.
 */
export async function freshCheckout({ unbuilt = '' } = {}): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-checkout-'));
  const root = process.cwd();
  await cp(root, folder, { recursive: true, filter: (path) => !MADE_BY_RUNNING.test(relative(root, path)) });
  for (const built of BUILDS.filter((build) => build !== unbuilt)) {
    await cp(join(root, built), join(folder, built), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // If root runs the tests, PostgreSQL runs as another user, who needs access to the data folder.
  await chmod(folder, 0o755);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
