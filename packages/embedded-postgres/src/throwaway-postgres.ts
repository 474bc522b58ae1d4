import { randomUUID } from 'node:crypto';
import { rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

/** Trades durability for speed: a crash may lose everything. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * In memory, creating and dropping a database takes a sixth of the CPU time that it takes on ext4. A container often has a much smaller
 * /dev/shm, and macOS and Windows have none.
 */
const IN_MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 8 * 1024 ** 3;

export async function temporaryFolder(): Promise<string> {
  const memory = await statfs(IN_MEMORY).catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize >= MIN_FREE_BYTES ? IN_MEMORY : tmpdir();
}

/** A server for tests and benchmarks, in a temporary folder that is removed with it. */
export async function startThrowawayPostgres(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const dataDir = join(await temporaryFolder(), `waybill-test-${randomUUID()}`);
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings: { ...CARELESS, ...settings } });
    return { ...server, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
