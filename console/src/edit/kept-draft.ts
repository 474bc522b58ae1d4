import { keepDiscarded, takeDiscarded } from '../discarded.js';
import { keptByTab } from '../kept-by-tab.js';
import { isEmpty, type Draft } from '../model/draft.js';
import type { Kind } from '../model/fields.js';

/** A draft that the browser keeps until it is saved or discarded. */
export interface KeptDraft extends Draft {
  /** When it was last changed. */
  readonly at: string;
}

export function draftName(subject: string, kind: Kind, id: string): string {
  return `waybill.draft.${subject}.${kind}.${id}`;
}

/** The draft of this tab, or one that a closed tab left. */
export function readDraft(subject: string, kind: Kind, id: string): KeptDraft | undefined {
  return keptByTab.read(draftName(subject, kind, id));
}

/** Returns false if the browser cannot store it. */
export function writeDraft(subject: string, kind: Kind, id: string, draft: Draft | undefined): boolean {
  return keptByTab.write(draftName(subject, kind, id), draft !== undefined && !isEmpty(draft) ? draft : undefined);
}

/** Whether the user edits the same record in another tab. */
export function hasDraftElsewhere(subject: string, kind: Kind, id: string): boolean {
  return keptByTab.isElsewhere(draftName(subject, kind, id));
}

/** Discards a stored draft, which can be brought back until the tab is closed. */
export function discardDraft(subject: string, kind: Kind, id: string): void {
  const draft = readDraft(subject, kind, id);
  if (draft !== undefined) keepDiscarded(draftName(subject, kind, id), draft);
  writeDraft(subject, kind, id, undefined);
}

/** Stores the discarded draft again. Another one that was begun since is discarded instead. */
export function bringBackDraft(subject: string, kind: Kind, id: string): void {
  const draft = takeDiscarded<Draft>(draftName(subject, kind, id));
  if (draft === undefined) return;
  discardDraft(subject, kind, id);
  writeDraft(subject, kind, id, draft);
}
