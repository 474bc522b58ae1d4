import type { Values } from './fields.js';
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
