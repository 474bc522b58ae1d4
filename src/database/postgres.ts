import { type EmbeddedPostgresError, startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { libpqUrl } from '../config/database-url.js';
import type { Config } from '../config/config.js';

interface Postgres {
  readonly url: string;
  readonly dataDir?: string;
  /** Stops an embedded server; does nothing for an external one. */
  stop(): Promise<void>;
}

/** Uses the server at DATABASE_URL, or starts an embedded one in DATA_DIR. */
export async function findPostgres(
  { DATABASE_URL, DATABASE_CA_FILE, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATABASE_CA_FILE' | 'DATA_DIR'>,
  say: (line: string) => void,
  onLost?: (error: EmbeddedPostgresError) => void,
): Promise<Postgres> {
  if (DATABASE_URL !== undefined) {
    return { url: libpqUrl(DATABASE_URL, DATABASE_CA_FILE), stop: () => Promise.resolve() };
  }
  return startEmbeddedPostgres({ dataDir: DATA_DIR, say, ...(onLost && { onLost }) });
}
