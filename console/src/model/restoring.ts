import type { Resource } from './held-records.js';

/** A deleted record to restore. */
export interface Step {
  readonly kind: Resource;
  readonly id: string;
  readonly name: string;
  /** The deletion that the user saw. */
  readonly deletionETag: string;
  /** The record to which it belongs, if that must be restored first. */
  readonly after?: string | undefined;
  /** The idempotency key. */
  readonly key: string;
}

/** Why a record cannot be restored, as the service says. */
export type Hindrance = 'NOT_KEPT' | 'ERASED' | 'PARENT_DELETED' | 'DUPLICATE' | 'PRECONDITION_FAILED';

/** The response to a step. Every kind except `unknown` settles it. */
export type Response =
  | { readonly kind: 'restored' }
  /** Somebody has restored it already, perhaps this user by an attempt without a response. */
  | { readonly kind: 'already'; readonly by: string | undefined; readonly at: string | undefined }
  | { readonly kind: 'refused'; readonly hindrance: Hindrance | undefined; readonly text: string }
  | { readonly kind: 'unknown'; readonly text: string };

export interface Progress {
  readonly step: Step;
  /** Undefined if it was not sent. */
  readonly response?: Response | undefined;
}

export function begun(steps: readonly Step[]): Progress[] {
  return steps.map((step) => ({ step }));
}

export function isThere({ response }: Progress): boolean {
  return response?.kind === 'restored' || response?.kind === 'already';
}

/** Whether it cannot be sent, because the record to which it belongs cannot be restored. */
export function isHeldBack({ step: { after } }: Progress, all: readonly Progress[]): boolean {
  const parent = all.find(({ step }) => step.id === after);
  return parent?.response?.kind === 'refused' || (parent !== undefined && isHeldBack(parent, all));
}

/**
 * Sends the steps in order, each after the one that it depends on. Stops at a step whose outcome is unknown; called again, it repeats that
 * step under its key and continues.
 */
export async function restoreAll(
  before: readonly Progress[],
  send: (step: Step, isRepeated: boolean) => Promise<Response>,
  onProgress: (progress: readonly Progress[]) => void,
): Promise<readonly Progress[]> {
  let all = before;
  for (const { step } of before) {
    const now = all.find((each) => each.step === step);
    if (now === undefined || isSettled(now) || isHeldBack(now, all)) continue;
    const response = await send(step, now.response?.kind === 'unknown');
    all = all.map((each) => (each.step === step ? { step, response } : each));
    onProgress(all);
    if (response.kind === 'unknown') break;
  }
  return all;
}

function isSettled({ response }: Progress): boolean {
  return response !== undefined && response.kind !== 'unknown';
}
