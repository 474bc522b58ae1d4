import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry, Move, Shipment } from '@waybill/client';
import { useEffect, useId, useRef } from 'react';
import { authorOf } from '../author.js';
import { ADDRESS_LABELS, ADDRESSES, FIELDS, labelOf, partsOf, type Field, type Kind } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { announce } from '../parts/announce.js';
import { Ago } from '../parts/Moment.js';
import { historyQuery } from '../queries.js';
import { ConflictDialog } from './ConflictDialog.js';
import { FieldInput } from './FieldInput.js';
import { DeletedDialog, ForbiddenDialog } from './Obstacles.js';
import { useEdit, type Editing, type Saved } from './use-edit.js';

interface RecordFormProps {
  readonly kind: Kind;
  readonly record: Shipment | Move;
  readonly isDeleted: boolean;
  readonly onLeave: () => void;
}

/** Untouched fields follow what others do; touched ones never do. */
export function RecordForm({ kind, record, isDeleted, onLeave }: RecordFormProps) {
  const editing = useEdit(kind, record, (saved) => {
    announce(sentenceOf(record.id, saved));
    onLeave();
  });
  const { edits, fault, obstacle, isSaving, isKept, restored, errors } = editing;
  const form = useRef<HTMLFormElement>(null);
  const count = Object.keys(edits).length;
  const save = () => void editing.save();
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const plain = FIELDS[kind].filter(({ name, input }) => !name.includes('/') && input !== 'long');
  const long = FIELDS[kind].filter(({ input }) => input === 'long');
  const show = (field: Field) => (
    <EditedField key={field.name} field={field} kind={kind} recordID={record.id} editing={editing} />
  );
  return (
    <>
      <form
        ref={form}
        className="record-form"
        aria-label={`Edit the ${kind}`}
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
            if (count > 0) announce('Not saved. What you typed is kept as a draft.');
            onLeave();
          }
        }}
      >
        {restored !== '' && count > 0 ? (
          <p className="banner">
            Your draft from <Ago at={restored} /> is here again.
          </p>
        ) : null}
        {isDeleted ? <p className="banner warning">The record was deleted. Your draft is kept.</p> : null}
        {isKept ? null : (
          <p className="banner warning">The browser has no room for drafts: save before you leave this page.</p>
        )}
        <div className="fields">{plain.map(show)}</div>
        {kind === 'shipment' ? (
          <div className="addresses">
            {ADDRESSES.map((address) => (
              <AddressFields key={address} address={address} recordID={record.id} editing={editing} />
            ))}
          </div>
        ) : null}
        {long.map(show)}
        <div className="form-foot">
          {fault === undefined ? null : (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <span className="hint">
            {count === 0
              ? 'Nothing changed yet'
              : `${count} ${count === 1 ? 'field' : 'fields'} changed, kept as a draft`}
          </span>
          <button type="button" onClick={onLeave}>
            Back
          </button>
          <button
            type="button"
            disabled={count === 0}
            onClick={() => {
              editing.discard();
              announce('The draft was discarded.');
            }}
          >
            Discard
          </button>
          <button type="submit" className="primary" disabled={count === 0 || isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </button>
        </div>
      </form>
      {obstacle?.kind === 'conflict' ? (
        <ConflictDialog
          key={`${obstacle.round} ${obstacle.merge.current.eTag}`}
          kind={kind}
          recordID={record.id}
          conflict={obstacle}
          decisions={editing.decisions}
          fault={fault}
          isSaving={isSaving}
          onDecide={editing.setDecisions}
          onSave={(decisions) => void editing.settle(obstacle, decisions)}
          onClose={editing.close}
        />
      ) : null}
      {obstacle?.kind === 'deleted' ? (
        <DeletedDialog
          kind={kind}
          recordID={record.id}
          edits={edits}
          onClose={editing.close}
          onDiscard={editing.discard}
        />
      ) : null}
      {obstacle?.kind === 'forbidden' ? (
        <ForbiddenDialog detail={obstacle.detail} edits={edits} onClose={editing.close} />
      ) : null}
    </>
  );
}

function sentenceOf(recordID: string, { merged, same }: Saved): string {
  const others = [...merged, ...same];
  if (others.length === 0) return 'Saved.';
  const names = [...new Set(others.map(({ changedBy, changedAt }) => authorOf(recordID, changedBy, changedAt)))];
  const fields = [...new Set(others.map(({ field }) => labelOf(field).toLowerCase()))];
  return `Saved, together with what ${names.join(' and ')} changed meanwhile: ${fields.join(', ')}.`;
}

function AddressFields({
  address,
  recordID,
  editing,
}: {
  readonly address: string;
  readonly recordID: string;
  readonly editing: Editing;
}) {
  const { edits, live, changeAll } = editing;
  const parts = partsOf(address);
  const hasAny = parts.some((part) => (edits[part] === undefined ? live[part] : edits[part].to) != null);
  const fields = FIELDS.shipment.filter(({ name }) => parts.includes(name));
  return (
    <fieldset className="address">
      <legend>{ADDRESS_LABELS[address]}</legend>
      {fields.map((field) => (
        <EditedField key={field.name} field={field} kind="shipment" recordID={recordID} editing={editing} />
      ))}
      {hasAny ? (
        <button
          type="button"
          className="quiet"
          onClick={() => changeAll(Object.fromEntries(parts.map((part) => [part, null])))}
        >
          Remove this address
        </button>
      ) : null}
    </fieldset>
  );
}

interface EditedFieldProps {
  readonly field: Field;
  readonly kind: Kind;
  readonly recordID: string;
  readonly editing: Editing;
}

function EditedField({ field, kind, recordID, editing: { edits, live, errors, change } }: EditedFieldProps) {
  const id = useId();
  const { data } = useInfiniteQuery(historyQuery(kind, recordID));
  const { name } = field;
  const edit = edits[name];
  const now = live[name] ?? null;
  const opened = useRef(now);
  const error = errors[name] ?? errors[name.split('/')[0] ?? ''];
  const last = lastChange(data?.pages.flatMap(({ items }) => items) ?? [], recordID, name);
  const hasArrived = edit === undefined ? now !== opened.current : now !== edit.from;
  const author = <strong>{authorOf(recordID, last?.changedBy, last?.changedAt)}</strong>;
  return (
    <div
      className={`field input-${field.input} part-${name.split('/')[1] ?? ''}${edit === undefined ? '' : ' touched'}${hasArrived ? ' arrived' : ''}`}
    >
      <label className="label" htmlFor={id}>
        {field.label}
        {field.input === 'weight' ? <span className="unit"> lb</span> : null}
      </label>
      <FieldInput
        field={field}
        id={id}
        value={edit === undefined ? now : edit.to}
        onChange={(value) => change(name, value)}
        isInvalid={error !== undefined}
        describedBy={`${id}-notes`}
      />
      <div id={`${id}-notes`} className="notes">
        {error === undefined ? null : <p className="fault">{error}</p>}
        {hasArrived && last !== undefined ? (
          <p className="arrival" role="status">
            {edit === undefined ? (
              <>
                {author} changed this from {formatValue(name, last.from)}, <Ago at={last.changedAt} />
              </>
            ) : (
              <>
                {author} changed this to {formatValue(name, now)}, <Ago at={last.changedAt} />. You decide when you
                save.
              </>
            )}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** The newest change of a field that history tells. */
function lastChange(entries: readonly HistoryEntry[], recordID: string, field: string) {
  for (const { resourceID, changes, changedBy, changedAt } of entries) {
    const change = resourceID === recordID ? changes.find((each) => each.field === field) : undefined;
    if (change !== undefined) return { ...change, changedBy, changedAt };
  }
  return undefined;
}
