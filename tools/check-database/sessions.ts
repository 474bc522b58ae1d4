import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Two connections to the database, and a temporary schema. */
export class Sessions {
  /** Used in every statement, because a pooler does not keep a search_path. */
  readonly schema = `waybill_check_${randomBytes(4).toString('hex')}`;

  private constructor(
    readonly url: string,
    readonly first: Client,
    readonly second: Client,
  ) {}

  static async open(url: string): Promise<Sessions> {
    return new Sessions(url, await connect({ connectionString: url }), await connect({ connectionString: url }));
  }

  async createSchema(): Promise<void> {
    await this.first.query(`CREATE SCHEMA ${this.schema}`);
  }

  /** Ends transactions that a check left open. */
  async rollBack(): Promise<void> {
    for (const client of [this.first, this.second]) await client.query('ROLLBACK');
  }

  async close(): Promise<void> {
    await this.first.query(`DROP SCHEMA IF EXISTS ${this.schema} CASCADE`).catch(() => undefined);
    await Promise.all([this.first.end(), this.second.end()]);
  }
}

export async function connect(options: ConstructorParameters<typeof Client>[0]): Promise<Client> {
  const client = new Client(options);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The SQLSTATE of a failed statement; undefined if it succeeds. */
export async function failureOf(statement: Promise<unknown>): Promise<string | undefined> {
  try {
    await statement;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown';
  }
}
