import { StartFailure } from '../config/start-failure.js';
import { EmbeddedPostgresError } from '@waybill/embedded-postgres';

/** The last words of a program: a sentence for what an operator can mend, the stack for what only we can. */
export function explainFailure(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  if (error instanceof EmbeddedPostgresError) {
    return `${error.message}\nSet DATABASE_URL to use a PostgreSQL server of your own.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
