import { type EmbeddedPostgresError, startEmbeddedPostgres } from '@waybill/embedded-postgres';
import { libpqUrl } from '../config/database-url.js';
import type { Config } from '../config/config.js';

export interface Postgres {
  readonly url: string;
  /** Where an embedded server keeps its data. */
  readonly dataDir?: string;
  /** Ends an embedded server; a server of the operator's own is left alone. */
  stop(): Promise<void>;
}

/** The server at DATABASE_URL, or an embedded one in DATA_DIR, which is started. */
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
