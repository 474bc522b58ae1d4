import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Transaction, type Statement } from './transaction.js';

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

  async begin(): Promise<Transaction> {
    return Transaction.begin(await this.pool.connect());
  }
}
