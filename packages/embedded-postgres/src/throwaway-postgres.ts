import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

/** Trades durability for speed: a crash may lose everything. */
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/** A server for tests and benchmarks, in a temporary folder that is removed with it. */
export async function startThrowawayPostgres(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const dataDir = join(tmpdir(), `waybill-test-${randomUUID()}`);
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings: { ...CARELESS, ...settings } });
    return { ...server, stop: () => server.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
