import { isProblem, NoAnswerError, ProblemError } from '@waybill/client';

/** What went wrong, for a person. */
export function explain(error: unknown): string {
  if (error instanceof NoAnswerError) return 'The service does not answer. Check the connection and try again.';
  if (isProblem(error, 'FORBIDDEN')) return `You are not allowed to do this. ${error.problem.detail}`;
  if (error instanceof ProblemError) return error.problem.detail;
  return error instanceof Error ? error.message : String(error);
}

/** What is known of a write that may have been done. What the last answer says of itself would mislead. */
export function explainOpen(error: unknown, done: 'saved' | 'moved' | 'removed' | 'sent'): string {
  const reason = isProblem(error, 'FORBIDDEN') ? explain(error) : 'The service did not say.';
  return `It is not known whether this was ${done}. ${reason} Try again to find out: it is done only once.`;
}
