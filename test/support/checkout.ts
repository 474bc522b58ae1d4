import { chmod, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** What git ignores, and git itself. */
const MADE_BY_RUNNING = /(^|\/)(node_modules|dist|coverage|results|\.git|\.data|\.env|\.prepare.*)$/;

export interface Checkout {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * A copy of the sources as a fresh clone has them. The packages are shared, to save an installation, and so is a copy of the built
 * service where a test is not about building it.
 */
export async function freshCheckout({ withService = false } = {}): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-checkout-'));
  const root = process.cwd();
  await cp(root, folder, { recursive: true, filter: (path) => !MADE_BY_RUNNING.test(relative(root, path)) });
  if (withService) await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // When root runs the tests, PostgreSQL runs as another user, who must reach the data folder.
  await chmod(folder, 0o755);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
