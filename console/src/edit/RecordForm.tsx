import { useEffect, useRef } from 'react';
import { ADDRESSES, FIELDS, type Field, type Kind } from '../model/fields.js';
import { announce } from '../parts/announce.js';
import { Fault } from '../parts/Fault.js';
import { Ago } from '../parts/Moment.js';
import { ConflictDialog } from './ConflictDialog.js';
import { AddressFields, EditedField } from './EditedField.js';
import { DeletedDialog, ForbiddenDialog } from './Obstacles.js';
import { isNew, type RecordOf } from './records.js';
import { MovedOn } from './MovedOn.js';
import { savedSentence } from './saved-sentence.js';
import { useEdit } from './use-edit.js';

interface RecordFormProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly isDeleted: boolean;
  readonly onLeave: () => void;
}

/** Fields that the user has not edited follow changes by others; edited fields never change. */
export function RecordForm({ kind, record, isDeleted, onLeave }: RecordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const editing = useEdit(kind, record, (saved) => {
    announce(savedSentence(record.id, saved));
    // Unless the user has already left the form.
    if (form.current !== null) onLeave();
  });
  const { edits, fault, obstacle, isOpen, isSaving, isKept, restored, errors } = editing;
  const count = Object.keys(edits).length;
  const save = () => void editing.save();
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const plain = FIELDS[kind].filter(({ name, input }) => !name.includes('/') && input !== 'long');
  const long = FIELDS[kind].filter(({ input }) => input === 'long');
  const show = (field: Field) => (
    <EditedField key={field.name} field={field} kind={kind} record={record} editing={editing} />
  );
  return (
    <>
      <form
        ref={form}
        className="record-form"
        aria-label={isNew(record) ? `Add ${kind === 'agent' ? 'an' : 'a'} ${kind}` : `Edit the ${kind}`}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
          }
          if (event.key === 'Escape') {
            event.preventDefault();
            if (count > 0 && !isSaving && !isOpen) announce('Not saved. Your changes are kept as a draft.');
            onLeave();
          }
        }}
      >
        {restored !== '' && count > 0 ? (
          <p className="banner">
            Restored your draft from <Ago at={restored} />.
          </p>
        ) : null}
        <MovedOn kind={kind} record={record} before={editing.base.values['status']} hasEdits={count > 0} />
        {isDeleted ? <p className="banner warning">The record was deleted. Your draft is kept.</p> : null}
        {isKept ? null : (
          <p className="banner warning">The browser cannot store drafts. Save before you leave this page.</p>
        )}
        <div className="fields">{plain.map(show)}</div>
        {kind === 'shipment' ? (
          <div className="addresses">
            {ADDRESSES.map((address) => (
              <AddressFields key={address} address={address} record={record} editing={editing} />
            ))}
          </div>
        ) : null}
        {long.map(show)}
        <div className="form-foot">
          <Fault error={fault} />
          <span className="hint">
            {count === 0
              ? 'No changes yet'
              : `${count} ${count === 1 ? 'field' : 'fields'} changed${isKept ? ', kept as a draft' : ''}`}
          </span>
          <button type="button" onClick={onLeave}>
            Back
          </button>
          <button
            type="button"
            disabled={(count === 0 && !isOpen) || isSaving}
            onClick={() => {
              editing.discard();
              announce('Draft discarded.');
            }}
          >
            Discard
          </button>
          <button type="submit" className="primary" disabled={(count === 0 && !isOpen) || isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
      {obstacle?.kind === 'conflict' ? (
        <ConflictDialog
          key={obstacle.merge.current.eTag}
          recordID={record.id}
          conflict={obstacle}
          edits={edits}
          decisions={editing.decisions}
          closeLabel="Back to the form"
          onDecide={editing.decide}
          onSave={() => void editing.settle()}
          onClose={editing.close}
        />
      ) : null}
      {obstacle?.kind === 'deleted' ? (
        <DeletedDialog kind={kind} record={record} edits={edits} onClose={editing.close} onDiscard={editing.discard} />
      ) : null}
      {obstacle?.kind === 'forbidden' ? (
        <ForbiddenDialog detail={obstacle.detail} edits={edits} onClose={editing.close} />
      ) : null}
    </>
  );
}
