import { isProblem, NoAnswerError, ProblemError } from '@waybill/client';

/** What went wrong, for a person. */
export function explain(error: unknown): string {
  if (error instanceof NoAnswerError) return 'The service does not answer. Check the connection and try again.';
  if (isProblem(error, 'FORBIDDEN')) return `You are not allowed to do this. ${error.problem.detail}`;
  if (error instanceof ProblemError) return error.problem.detail;
  return error instanceof Error ? error.message : String(error);
}
