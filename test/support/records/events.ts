import type { INestApplication } from '@nestjs/common';
import type { Client } from 'pg';
import { DeliveryWorker } from '../../../src/deliveries/delivery-worker.js';
import { Sequencer } from '../../../src/events/sequencer.js';
import { ImportWorker } from '../../../src/imports/import-worker.js';
import { SearchIndexer } from '../../../src/search/search-indexer.js';
import { eventually } from '../races/eventually.js';

/** Waits until every history entry is an event. */
export async function allNumbered(sql: Client): Promise<void> {
  const left =
    'SELECT FROM history h WHERE position > 0 AND NOT EXISTS (SELECT FROM events e WHERE e.position = h.position AND e.record_id = h.record_id)';
  await eventually(async () => (await sql.query(left)).rowCount === 0, 30_000, 'all entries are numbered');
}

/** Waits until the index of words has every change. */
export async function allIndexed(sql: Client): Promise<void> {
  await allNumbered(sql);
  const left = 'SELECT FROM search_progress WHERE number < (SELECT max(number) FROM events)';
  await eventually(async () => (await sql.query(left)).rowCount === 0, 30_000, 'all changes are indexed');
}

/** For an application that shares its database and therefore cannot be closed. */
export async function stopWorkers(app: INestApplication): Promise<void> {
  await app.get(ImportWorker).beforeApplicationShutdown();
  await app.get(DeliveryWorker).beforeApplicationShutdown();
  await app.get(SearchIndexer).beforeApplicationShutdown();
  await app.get(Sequencer).beforeApplicationShutdown();
}
