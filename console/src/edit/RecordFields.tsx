import { ADDRESSES, FIELDS, type Field, type Kind } from '../model/fields.js';
import { AddressFields, EditedField } from './EditedField.js';
import type { RecordOf } from './records.js';
import type { Editing } from './use-edit.js';
import styles from './edit.module.css';

interface RecordFieldsProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly editing: Editing;
}

/** The inputs of a record: short fields, addresses, long texts. */
export function RecordFields({ kind, record, editing }: RecordFieldsProps) {
  const plain = FIELDS[kind].filter(({ name, input }) => !name.includes('/') && input !== 'long');
  const long = FIELDS[kind].filter(({ input }) => input === 'long');
  const show = (field: Field) => (
    <EditedField key={field.name} field={field} kind={kind} record={record} editing={editing} />
  );
  return (
    <>
      <div className={styles.fields}>{plain.map(show)}</div>
      {kind === 'shipment' ? (
        <div className={styles.addresses}>
          {ADDRESSES.map((address) => (
            <AddressFields key={address} address={address} record={record} editing={editing} />
          ))}
        </div>
      ) : null}
      {long.map(show)}
    </>
  );
}
