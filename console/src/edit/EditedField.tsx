import { useId, useState } from 'react';
import { authorOf } from '../author.js';
import {
  FIELDS,
  labelOf,
  partsOf,
  REQUIRED,
  REQUIRED_PARTS,
  shortLabelOf,
  type Field,
  type Kind,
} from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { Ago } from '../components/Moment.js';
import { FieldInput } from './FieldInput.js';
import { isNew, type RecordOf } from './records.js';
import { useLastChange } from './use-last-change.js';
import type { Editing } from './use-edit.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import { region } from '../texts/region.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './edit.module.css';

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
    <fieldset className={styles.address}>
      <legend>{labelOf(address)}</legend>
      {fields.map((field) => (
        <EditedField
          key={field.name}
          field={field}
          kind="shipment"
          record={record}
          editing={editing}
          isRequired={hasAny && REQUIRED_PARTS.includes(field.name.slice(address.length + 1))}
        />
      ))}
      {hasAny ? (
        <button
          type="button"
          className={controls.quiet}
          onClick={() => changeAll(Object.fromEntries(parts.map((part) => [part, null])))}
        >
          {t.fields.removeAddress}
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
  readonly isRequired?: boolean;
}

export function EditedField(props: EditedFieldProps) {
  const { field, kind, record, editing, isRequired = REQUIRED[kind].includes(field.name) } = props;
  const { edits, live, errors, change } = editing;
  const id = useId();
  const { name } = field;
  const edit = edits[name];
  const now = live[name] ?? null;
  const [opened] = useState(now);
  const error = errors[name] ?? errors[name.split('/')[0] ?? ''];
  const last = useLastChange(kind, record, name);
  const hasArrived = edit === undefined ? now !== opened : now !== edit.from;
  const author = <strong>{authorOf(record.id, last?.changedBy, last?.changedAt)}</strong>;
  return (
    <div
      className={classes(
        controls.field,
        edit !== undefined && !isNew(record) && styles.touched,
        hasArrived && styles.arrived,
      )}
      data-part={name.split('/')[1]}
    >
      <label
        className={classes(controls.label, isRequired && controls.required)}
        htmlFor={id}
        data-changed={t.fields.changed}
        data-required={t.fields.required}
      >
        {shortLabelOf(name)}
        {field.input === 'weight' ? <span className={text.unit}> {region.weightUnit}</span> : null}
      </label>
      <FieldInput
        field={field}
        id={id}
        value={edit === undefined ? now : edit.to}
        onChange={(value) => change(name, value)}
        isInvalid={error !== undefined}
        isRequired={isRequired}
        describedBy={`${id}-notes`}
      />
      <div id={`${id}-notes`} className={styles.notes}>
        {error === undefined ? null : <p className={text.fault}>{error}</p>}
        {hasArrived ? (
          <p className={styles.arrival} role="status">
            <Rich>
              {edit === undefined
                ? t.edit.changedFrom(author, formatValue(name, opened))
                : t.edit.changedTo(author, formatValue(name, now))}
            </Rich>
            {last === undefined ? null : (
              <>
                , <Ago at={last.changedAt} />
              </>
            )}
            {edit === undefined ? null : t.edit.chooseLater}
          </p>
        ) : null}
      </div>
    </div>
  );
}
