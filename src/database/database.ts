import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Transaction, type Author, type Statement } from './transaction.js';

/** The way to PostgreSQL: TypeORM's pool, used with prepared statements and without hydration. */
@Injectable()
export class Database {
  private readonly pool: Pool;

  constructor(readonly dataSource: DataSource) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Reads outside of a transaction. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...statement, values: [...values] });
    return rows;
  }

  /** Runs a statement of its own and tells how many rows it touched. */
  async count(statement: Statement): Promise<number> {
    return (await this.pool.query(statement)).rowCount ?? 0;
  }

  async begin(author: Author): Promise<Transaction> {
    return Transaction.begin(await this.pool.connect(), author);
  }
}
