import { useEffect, useEffectEvent, useRef } from 'react';
import { FIELDS, type Kind } from '../model/fields.js';
import { announce } from '../components/notice.js';
import { FormFoot } from '../components/FormFoot.js';
import { Ago } from '../components/Moment.js';
import { DiscardButton } from './DiscardButton.js';
import { EditObstacle } from './EditObstacle.js';
import { MovedOn } from './MovedOn.js';
import { RecordFields } from './RecordFields.js';
import { isNew, isNewChild, type RecordOf } from './records.js';
import { savedSentence } from './saved-sentence.js';
import { useEdit } from './use-edit.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import styles from './edit.module.css';

interface RecordFormProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly isDeleted: boolean;
  readonly saveLabel?: string;
  /** Called with the id of the record if it was saved. */
  readonly onLeave: (saved?: string) => void;
}

/** Fields that the user has not edited follow changes by others; edited fields never change. */
export function RecordForm({ kind, record, isDeleted, saveLabel = t.actions.save, onLeave }: RecordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const editing = useEdit(kind, record, (saved) => announce(savedSentence(record.id, saved)));
  const { edits, fault, isOpen, isSaving, isKept, isEditedElsewhere, restored, errors, saved } = editing;
  const count = Object.keys(edits).length;
  const canSave = count > 0 || isOpen || (isNew(record) && !isNewChild(record));
  const save = () => void editing.save();
  // Not every error is about one of the fields.
  const isShown = (name: string) =>
    FIELDS[kind].some((field) => field.name === name || field.name.startsWith(`${name}/`));
  const elsewhere = Object.entries(errors).flatMap(([name, message]) => (isShown(name) ? [] : [message]));
  const faults = [...(fault === undefined ? [] : [fault]), ...elsewhere];
  const hintOf = () => {
    if (isNew(record)) return count === 0 || !isKept ? '' : t.create.draft;
    return count === 0 ? t.edit.noChanges : t.edit.changes(count, isKept);
  };
  // Also if the form was closed during the save, and opened again.
  const leave = useEffectEvent(() => onLeave(String(editing.base.values['id'])));
  useEffect(() => {
    if (saved !== undefined) leave();
  }, [saved]);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return (
    <>
      <form
        ref={form}
        className={styles.form}
        aria-label={isNew(record) ? t.edit.newForm[kind] : t.edit.form[kind]}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
          }
          if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            if (count > 0 && !isSaving && !isOpen) announce(t.edit.kept);
            onLeave();
          }
        }}
      >
        {restored !== '' && count > 0 ? (
          <p className={page.banner}>
            <Rich>{t.edit.restored(<Ago at={restored} />)}</Rich>
          </p>
        ) : null}
        <MovedOn kind={kind} record={record} before={editing.base.values['status']} hasEdits={count > 0} />
        {isDeleted ? <p className={classes(page.banner, page.warning)}>{t.edit.deleted}</p> : null}
        {isEditedElsewhere ? <p className={page.banner}>{t.edit.editedElsewhere}</p> : null}
        {isKept ? null : <p className={classes(page.banner, page.warning)}>{t.edit.cannotKeep}</p>}
        <RecordFields kind={kind} record={record} editing={editing} />
        <FormFoot fault={faults.length === 0 ? undefined : faults.join(' ')} hint={hintOf()}>
          <button type="button" onClick={() => onLeave()}>
            {t.actions.back}
          </button>
          <DiscardButton editing={editing} isEmpty={count === 0 && !isOpen} />
          <button type="submit" className={controls.primary} disabled={!canSave && !isSaving} aria-disabled={isSaving}>
            {isSaving ? t.actions.saving : saveLabel}
          </button>
        </FormFoot>
      </form>
      <EditObstacle kind={kind} record={record} editing={editing} />
    </>
  );
}
