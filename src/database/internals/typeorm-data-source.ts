import { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * The connection pool of a TypeORM data source, and its entities without a connection.
 *
 * Relies on: TypeORM's driver for PostgreSQL keeps its pool in `driver.master`, and `buildMetadatas` reads the entities.
 * Buys: no speed by itself. Requests and migrations share one pool, so that POOL_SIZE bounds all connections of the service;
 * statements are sent without TypeORM's query runners; and the document of the API is written without a database.
 * Without it: open a `pg.Pool` with the same options beside the data source, allow for one more connection, and write the document
 * while connected to a database.
 */
interface Inside {
  readonly driver: { master: Pool | undefined };
  buildMetadatas(): Promise<void>;
}

export function poolOf(dataSource: DataSource): Pool {
  const { master } = inside(dataSource).driver;
  if (master === undefined) throw new Error('TypeORM no longer keeps its pool in driver.master');
  return master;
}

/** Makes a data source know its entities, and gives it a pool that has not connected to anything. */
export async function initializeOffline(dataSource: DataSource): Promise<void> {
  await inside(dataSource).buildMetadatas();
  inside(dataSource).driver.master = new Pool();
}

function inside(dataSource: DataSource): Inside {
  return dataSource as unknown as Inside;
}
