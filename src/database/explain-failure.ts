import { StartFailure } from '../config/start-failure.js';
import { EmbeddedPostgresError } from '@waybill/embedded-postgres';

/** What a program prints before it exits: one sentence for a failure that an operator can fix, the stack trace for a bug. */
export function explainFailure(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  if (error instanceof EmbeddedPostgresError) {
    return `${error.message}\nSet DATABASE_URL to use a PostgreSQL server of your own.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
