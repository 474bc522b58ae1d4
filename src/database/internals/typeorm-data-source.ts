import { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * Access to the connection pool of a TypeORM data source, and to its entities without a connection.
 *
 * Relies on: TypeORM's driver for PostgreSQL keeps its pool in `driver.master`, and `buildMetadatas` reads the entities.
 * Buys: no speed. Requests and migrations share one pool, so that POOL_SIZE limits all connections; statements bypass TypeORM's
 * query runners; and the API document is generated without a database.
 * Without it: open a separate `pg.Pool`, allow for one more connection, and generate the document with a database.
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

/** Loads the entities of a data source and gives it an unconnected pool. */
export async function initializeOffline(dataSource: DataSource): Promise<void> {
  await inside(dataSource).buildMetadatas();
  inside(dataSource).driver.master = new Pool();
}

function inside(dataSource: DataSource): Inside {
  return dataSource as unknown as Inside;
}
