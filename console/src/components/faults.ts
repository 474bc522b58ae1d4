import { isProblem, NoAnswerError, ProblemError } from '@waybill/client';
import { t } from '../texts/texts.js';

/** The message shown for an error. */
export function explain(error: unknown): string {
  if (error instanceof NoAnswerError) return t.faults.noAnswer;
  if (isProblem(error, 'FORBIDDEN')) return t.faults.forbidden(error.problem.detail);
  if (isTooBroad(error)) return t.faults.tooBroad;
  if (error instanceof ProblemError) return error.problem.detail;
  return error instanceof Error ? error.message : String(error);
}

/** Whether a search took too long. */
function isTooBroad(error: unknown): boolean {
  return isProblem(error, 'INVALID_PARAMETER') && (error.problem.errors ?? []).some(({ code }) => code === 'TOO_BROAD');
}

/** The message for a write whose outcome is unknown. The text of the last response would be misleading. */
export function explainOpen(error: unknown, done: keyof typeof t.faults.mayBe): string {
  const reason = isProblem(error, 'FORBIDDEN') ? explain(error) : t.faults.notConfirmed;
  return `${t.faults.mayBe[done]} ${reason} ${t.faults.tryToFindOut}`;
}
