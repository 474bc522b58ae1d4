import { useEffect, useEffectEvent, useState } from 'react';
import { WasDeleted } from '../deleted/WasDeleted.js';
import { EditConflict } from '../edit/EditConflict.js';
import { EditSession } from '../edit/edit-session.js';
import { historyOf } from '../edit/records.js';
import { othersSentence } from '../edit/saved-sentence.js';
import { useEditSession } from '../edit/use-edit.js';
import { nameOf } from '../model/deletions.js';
import { labelOf } from '../model/fields.js';
import { announce } from '../components/notice.js';
import { t } from '../texts/texts.js';
import type { Undoable } from './undo.js';
import { useLeave } from './use-leave.js';

type UndoEditProps = Extract<Undoable, { kind: 'edit' }> & { readonly onOver: () => void };

/** Saves the values before a change like a form does, but without a draft: what is not written is still in the timeline. */
export function UndoEdit({ of: kind, record, version, before, onOver }: UndoEditProps) {
  const name = nameOf(kind, record);
  const [edit] = useState(() => EditSession.withoutDraft(kind, record, version));
  const editing = useEditSession(edit, record, (saved, { values }) => {
    // A conflict may have been decided for other values.
    const isBack = Object.entries(before).every(([field, value]) => values[field] === value);
    const done = isBack ? t.undo.done(name) : saved.replaced === undefined ? t.calendar.unchanged : t.edit.saved;
    announce([done, othersSentence(record.id, saved)].filter(Boolean).join(' '));
    onOver();
  });
  const { obstacle, fault, reason, errors, isOpen } = editing;
  const write = useEffectEvent(() => {
    edit.dispatch({ type: 'change', values: before, live: version });
    void editing.save();
  });
  useEffect(() => write(), []);
  const giveUp = (why: string) => {
    announce(t.undo.notDone(name)(why), { isFault: true });
    onOver();
  };
  const stopped = useEffectEvent(() => {
    if (obstacle?.kind === 'forbidden') giveUp(obstacle.detail);
    else if (fault === undefined) return;
    else if (isOpen) {
      announce(fault, {
        isFault: true,
        isOpen: true,
        action: { label: t.actions.tryAgain, act: () => void editing.save() },
      });
    } else {
      const faults = Object.entries(errors).map(([field, message]) => `${labelOf(field)}: ${message}`);
      giveUp(faults.length > 0 ? faults.join(' ') : (reason ?? fault));
    }
  });
  useEffect(() => stopped(), [obstacle, fault]);
  const close = () => {
    announce(t.calendar.unchanged);
    onOver();
  };
  useLeave(obstacle?.kind === 'conflict', close);
  useLeave(obstacle?.kind === 'deleted', onOver);
  if (obstacle?.kind === 'deleted') {
    return (
      <WasDeleted kind={kind} id={record.id} history={historyOf(kind, record)} onClose={onOver}>
        {() => <p>{t.calendar.unchanged}</p>}
      </WasDeleted>
    );
  }
  return <EditConflict recordID={record.id} editing={editing} closeLabel={t.actions.leave} onClose={close} />;
}
