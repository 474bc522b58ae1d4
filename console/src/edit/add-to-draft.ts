import { readDraft, writeDraft } from '../model/draft.js';
import { valuesOf, type Kind, type Value } from '../model/fields.js';
import type { Edit } from '../model/merge.js';
import { session } from '../session/session.js';
import type { RecordOf } from './records.js';

/** Puts former values into the form, where they are an ordinary change: to look at, to correct and to save, or not. */
export function addToDraft(kind: Kind, record: RecordOf, values: Readonly<Record<string, Value>>): void {
  const { subject } = session;
  const draft = readDraft(subject, kind, record.id);
  const now = valuesOf(record);
  const edits: Record<string, Edit> = { ...draft?.edits };
  for (const [field, to] of Object.entries(values)) {
    const from = now[field] ?? null;
    if (to !== from) edits[field] = { from, to };
  }
  const base = draft?.base ?? { eTag: record.eTag, values: now };
  writeDraft(subject, kind, record.id, { base, edits, at: new Date().toISOString() });
}
