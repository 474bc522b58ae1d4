import { StartFailure } from '../config/start-failure.js';
import { EmbeddedPostgresError } from '@waybill/embedded-postgres';

/** Message to print before exiting: one sentence if an operator can fix the failure, a stack trace for a bug. */
export function explainFailure(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  if (error instanceof EmbeddedPostgresError) {
    return `${error.message}\nSet DATABASE_URL to use your own PostgreSQL server.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
