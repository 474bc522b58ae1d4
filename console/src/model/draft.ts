import type { Values } from './fields.js';
import type { Edit, Edits, Version } from './merge.js';

/** A save as sent. It is repeated unchanged, under the same key, until a response settles it. */
export interface Attempt {
  readonly key: string;
  readonly eTag: string;
  readonly body: string;
  /** When it was first sent, in milliseconds. Drafts of an earlier version of the console do not say. */
  readonly at?: number | undefined;
}

/** Unsaved edits. */
export interface Draft {
  /** The version that the edits are based on. */
  readonly base: Version;
  readonly edits: Edits;
  /** A save whose outcome is unknown. */
  readonly sent?: Attempt | undefined;
}

export function isEmpty({ edits, sent }: Draft): boolean {
  return sent === undefined && Object.keys(edits).length === 0;
}

/** The draft after the user typed values; `live` is the current record. */
export function changeDraft(draft: Draft, values: Values, live: Version): Draft {
  const edits: Record<string, Edit> = { ...draft.edits };
  for (const [field, to] of Object.entries(values)) {
    const now = live.values[field] ?? null;
    const from = edits[field]?.from ?? now;
    // Typing the old value again undoes an edit, unless the edit may already be saved.
    if (to === from && from === now && draft.sent === undefined) Reflect.deleteProperty(edits, field);
    else edits[field] = { from, to };
  }
  return { ...draft, base: isEmpty(draft) ? live : draft.base, edits };
}
