// A PostgreSQL that is thrown away afterwards, migrated and filled by the programs of a checkout.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { cpuOf, parentOf } from './processes.mjs';
import { seed } from './seed.mjs';

/**
 * As in production but for three things. It does not wait for the disk (fsync and synchronous_commit are off), whose speed is not
 * what is compared. Checkpoints and autovacuum would slow down whatever is measured at that moment, so `tidy` does their work
 * between rounds.
 */
const SETTINGS = {
  shared_buffers: '256MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  random_page_cost: '1.1',
};

const BUSY_SESSIONS = `
  SELECT pid FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;

export class BenchDatabase {
  constructor(server, client, postmaster, settings) {
    this.server = server;
    this.url = server.url;
    /** @type {pg.Client} */
    this.client = client;
    this.postmaster = postmaster;
    this.settings = settings;
  }

  /** @param {{ checkout: string, shipments: number, until?: Date }} content */
  static async start(content) {
    const server = await startThrowawayPostgres(SETTINGS);
    // After Ctrl-C it would stay, in memory.
    process.once('exit', () => rmSync(server.dataDir, { recursive: true, force: true, maxRetries: 5 }));
    try {
      const client = new pg.Client({ connectionString: server.url, application_name: 'bench' });
      await client.connect();
      await seed(server.url, client, content);
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      return new BenchDatabase(server, client, parentOf(rows[0].pid), SETTINGS);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async query(text, values) {
    return (await this.client.query(text, values)).rows;
  }

  /** CPU seconds of the whole server, its ended processes included. */
  cpu() {
    return cpuOf(this.postmaster);
  }

  /** Requests that were under way when a load ended must be over before versions are read for the next one. */
  async untilIdle() {
    do await sleep(150);
    while ((await this.query(BUSY_SESSIONS)).length > 0);
  }

  async tidy() {
    await this.client.query('VACUUM ANALYZE');
    await this.client.query('CHECKPOINT');
  }

  async version() {
    const [{ server_version: version }] = await this.query('SHOW server_version');
    return version;
  }

  async stop() {
    await this.client.end();
    await this.server.stop();
  }
}
