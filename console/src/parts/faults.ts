import { isProblem, NoAnswerError, ProblemError } from '@waybill/client';

/** The message shown for an error. */
export function explain(error: unknown): string {
  if (error instanceof NoAnswerError) return 'The service is not responding. Check your connection and try again.';
  if (isProblem(error, 'FORBIDDEN')) return `You are not allowed to do this. ${error.problem.detail}`;
  if (error instanceof ProblemError) return error.problem.detail;
  return error instanceof Error ? error.message : String(error);
}

/** The message for a write whose outcome is unknown. The text of the last response would be misleading. */
export function explainOpen(error: unknown, done: 'saved' | 'changed' | 'removed' | 'deleted' | 'uploaded'): string {
  const reason = isProblem(error, 'FORBIDDEN') ? explain(error) : 'The service did not confirm it.';
  return `This may not have been ${done}. ${reason} Try again to find out: nothing is done twice.`;
}
