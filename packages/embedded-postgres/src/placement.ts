import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Account, canReach, exists } from './account.js';

/** For data that the server, which does not run as root, cannot reach in the checkout. */
export const SHARED_FOLDER = '/var/lib/waybill';

/** The actual data folder. Existing data are found in either place. */
export async function placeData(
  account: Account | undefined,
  wanted: string,
  say: (line: string) => void,
): Promise<string> {
  if (!account) return wanted;
  const reachable = await canReach(account, wanted);
  if (await exists(clusterIn(wanted))) {
    if (!reachable) throw new Error(`user ${account.uid} cannot reach ${wanted}: open its parent folders (chmod o+x)`);
    return wanted;
  }
  const substitute = join(SHARED_FOLDER, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
  if (reachable && !(await exists(clusterIn(substitute)))) return wanted;
  say(`The data are in ${substitute}: the user that runs PostgreSQL cannot reach ${wanted}`);
  return substitute;
}

export function clusterIn(dataDir: string): string {
  return join(dataDir, 'cluster');
}
