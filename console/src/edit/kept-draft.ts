import { isEmpty, type Draft } from '../model/draft.js';
import type { Kind } from '../model/fields.js';

/** A draft in localStorage, kept until it is saved or discarded. */
export interface KeptDraft extends Draft {
  /** When it was last changed. */
  readonly at: string;
}

function keyOf(subject: string, kind: Kind, id: string): string {
  return `waybill.draft.${subject}.${kind}.${id}`;
}

export function readDraft(subject: string, kind: Kind, id: string): KeptDraft | undefined {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(subject, kind, id)) ?? 'null') as KeptDraft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns false if the browser cannot store it. */
export function writeDraft(subject: string, kind: Kind, id: string, draft: Draft | undefined): boolean {
  const key = keyOf(subject, kind, id);
  try {
    if (draft === undefined || isEmpty(draft)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ ...draft, at: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}
