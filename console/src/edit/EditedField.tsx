import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '@waybill/client';
import { useId, useRef } from 'react';
import { authorOf } from '../author.js';
import { ADDRESS_LABELS, FIELDS, partsOf, type Field, type Kind } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { Ago } from '../parts/Moment.js';
import { historyQuery } from '../queries.js';
import { FieldInput } from './FieldInput.js';
import { historyOf, type RecordOf } from './records.js';
import type { Editing } from './use-edit.js';

export function AddressFields({
  address,
  record,
  editing,
}: {
  readonly address: string;
  readonly record: RecordOf;
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
        <EditedField key={field.name} field={field} kind="shipment" record={record} editing={editing} />
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
  readonly record: RecordOf;
  readonly editing: Editing;
}

export function EditedField({ field, kind, record, editing: { edits, live, errors, change } }: EditedFieldProps) {
  const id = useId();
  const { data } = useInfiniteQuery(historyQuery(historyOf(kind, record)));
  const { name } = field;
  const edit = edits[name];
  const now = live[name] ?? null;
  const opened = useRef(now);
  const error = errors[name] ?? errors[name.split('/')[0] ?? ''];
  const last = lastChange(data?.pages.flatMap(({ items }) => items) ?? [], record.id, name);
  const hasArrived = edit === undefined ? now !== opened.current : now !== edit.from;
  const author = <strong>{authorOf(record.id, last?.changedBy, last?.changedAt)}</strong>;
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
