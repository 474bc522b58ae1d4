import type { Kind, Values } from './fields.js';
import type { Edit, Edits, Version } from './merge.js';

/** A save as it was sent. It is repeated like this, under the same key, until an answer settles it. */
export interface Attempt {
  readonly key: string;
  readonly eTag: string;
  readonly body: string;
}

/** What somebody typed and has not saved. */
export interface Draft {
  /** The version that the edits were begun on. */
  readonly base: Version;
  readonly edits: Edits;
  /** A save of which it is not known whether it was done. */
  readonly sent?: Attempt | undefined;
}

/** A draft as the browser keeps it until it is saved or discarded. */
export interface KeptDraft extends Draft {
  /** When it was last changed. */
  readonly at: string;
}

export function isEmpty({ edits, sent }: Draft): boolean {
  return sent === undefined && Object.keys(edits).length === 0;
}

/** The draft after values were typed, for a record that is now as in `live`. */
export function changeDraft(draft: Draft, values: Values, live: Version): Draft {
  const edits: Record<string, Edit> = { ...draft.edits };
  for (const [field, to] of Object.entries(values)) {
    const now = live.values[field] ?? null;
    const from = edits[field]?.from ?? now;
    // Typing back the old value undoes an edit, unless the edit may have been saved already.
    if (to === from && from === now && draft.sent === undefined) Reflect.deleteProperty(edits, field);
    else edits[field] = { from, to };
  }
  return { ...draft, base: isEmpty(draft) ? live : draft.base, edits };
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

/** False when the browser has no room for it. */
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
