import { useEffect, useState } from 'react';
import { discards } from '../discarded.js';
import { live as feed } from '../live/live.js';
import { isEmpty } from '../model/draft.js';
import type { Saved } from '../model/edit.js';
import type { Kind, Value, Values } from '../model/fields.js';
import type { Decisions, Version } from '../model/merge.js';
import { otherTabs } from '../tab.js';
import { useStore } from '../use-store.js';
import { EditSession, versionOf } from './edit-session.js';
import { isNew, type RecordOf } from './records.js';

/** Called with the version that was written. */
type OnSaved = (saved: Saved, version: Version) => void;

/** The user's edits of one record, saved only against the version they are based on. */
export function useEdit(kind: Kind, record: RecordOf, onSaved: OnSaved) {
  const [edit] = useState(() => EditSession.open(kind, record));
  return useEditSession(edit, record, onSaved);
}

export function useEditSession(edit: EditSession, record: RecordOf, onSaved: OnSaved) {
  const { draft, saving, ...state } = useStore(edit);
  // Looks again when a tab is opened or closed, or begins to edit.
  useStore(otherTabs);
  useStore(discards);
  useEffect(() => edit.show(), [edit]);
  // A record that was just created is not in the page yet.
  const live = isNew(record) ? draft.base : versionOf(record);
  useEffect(
    () =>
      feed.connection.subscribe(() => {
        if (feed.connection.get().kind === 'live') edit.dispatch({ type: 'recover' });
      }),
    [edit],
  );
  const changeAll = (values: Values) => edit.dispatch({ type: 'change', values, live });
  const save = async (type: 'save' | 'settle') => {
    const saved = await edit.save(type);
    if (saved !== undefined) onSaved(saved, edit.get().draft.base);
  };
  return {
    ...state,
    ...{ base: draft.base, edits: draft.edits, live: live.values, restored: edit.restored },
    isOpen: draft.sent !== undefined && saving === undefined,
    isSaving: saving !== undefined,
    isEditedElsewhere: edit.isEditedElsewhere,
    change: (field: string, to: Value) => changeAll({ [field]: to }),
    changeAll,
    /** Whether there is a discarded draft, and no other. */
    isDiscarded: isEmpty(draft) && edit.hasDiscarded,
    discard: () => edit.discard(versionOf(record)),
    bringBack: () => edit.bringBack(),
    /** Without keeping the draft. */
    drop: () => edit.dispatch({ type: 'discard', live: versionOf(record) }),
    save: () => save('save'),
    settle: () => save('settle'),
    decide: (decisions: Decisions) => edit.dispatch({ type: 'decide', decisions }),
    close: () => edit.dispatch({ type: 'close' }),
    forget: () => edit.dispatch({ type: 'forget' }),
  };
}

export type Editing = ReturnType<typeof useEdit>;
