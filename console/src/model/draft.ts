import type { Kind } from './fields.js';
import type { Edits, Version } from './merge.js';

/** What somebody typed and has not saved, kept in the browser until it is saved or discarded. */
export interface Draft {
  /** The version that the edits were made for. */
  readonly base: Version;
  readonly edits: Edits;
  /** When it was last changed. */
  readonly at: string;
  /** A save whose answer did not come. Sent again under the same key, it is done once. */
  readonly sent?: { readonly key: string; readonly body: string; readonly eTag: string } | undefined;
}

function keyOf(subject: string, kind: Kind, id: string): string {
  return `waybill.draft.${subject}.${kind}.${id}`;
}

export function readDraft(subject: string, kind: Kind, id: string): Draft | undefined {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(subject, kind, id)) ?? 'null') as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** False when the browser has no room for it. */
export function writeDraft(subject: string, kind: Kind, id: string, draft: Draft | undefined): boolean {
  const key = keyOf(subject, kind, id);
  try {
    if (draft === undefined || Object.keys(draft.edits).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
