import { changeDraft } from '../model/draft.js';
import { valuesOf, type Kind, type Values } from '../model/fields.js';
import { session } from '../session/session.js';
import { readDraft, writeDraft } from './kept-draft.js';
import type { RecordOf } from './records.js';

/** Puts earlier values into the form as an ordinary unsaved edit. */
export function addToDraft(kind: Kind, record: RecordOf, values: Values): void {
  const { subject } = session;
  const live = { eTag: record.eTag, values: valuesOf(record) };
  const draft = readDraft(subject, kind, record.id) ?? { base: live, edits: {} };
  writeDraft(subject, kind, record.id, changeDraft(draft, values, live));
}
