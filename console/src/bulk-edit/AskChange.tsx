import type { ShipmentStatus } from '@waybill/client';
import { useId, useState } from 'react';
import { FieldInput } from '../edit/FieldInput.js';
import { FIELDS, labelOf, type Field, type Value, type Values } from '../model/fields.js';
import { formatCode, formatValue } from '../model/format.js';
import { COLUMNS, hasWayBack, isFinal, nextStatuses } from '../model/status.js';
import { weightFaults } from '../model/weights.js';
import { Dialog } from '../components/Dialog.js';
import { RejectionReason } from '../components/RejectionReason.js';
import { useTyped } from '../components/use-typed.js';
import type { Row } from '../model/rows.js';
import type { BulkEdit } from './bulk-edit.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';

interface AskProps {
  readonly title: string;
  readonly shipments: readonly Row[];
  readonly onClose: () => void;
  readonly onChange: (change: BulkEdit, shipments: readonly Row[]) => void;
}

/** Offers the statuses that at least one of the shipments can change to. The others stay unchanged, and the dialog says so. */
export function AskStatus({ title, shipments, onClose, onChange }: AskProps) {
  const [target, setTarget] = useState<ShipmentStatus>();
  const [reason, setReason, forgetReason] = useTyped('reason of many', '');
  const canGo = (status: ShipmentStatus) => shipments.filter((each) => nextStatuses(each.status).includes(status));
  const offered = COLUMNS.map((status) => ({ status, count: canGo(status).length })).filter(({ count }) => count > 0);
  const some = target === undefined ? [] : canGo(target);
  const isReady = target !== undefined && (target !== 'REJECTED' || reason.trim() !== '');
  const move = () => {
    if (!isReady) return;
    const step = { status: target, rejectionReason: target === 'REJECTED' ? reason : undefined };
    forgetReason();
    onChange({ kind: 'status', step }, some);
  };
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button type="button" className={controls.primary} disabled={!isReady} onClick={move}>
        {target === undefined ? t.actions.changeStatus : t.bulkEdit.changeSome(some.length, formatCode(target))}
      </button>
    </>
  );
  return (
    <Dialog title={t.bulkEdit.statusOf(title)} isSmall onClose={onClose} foot={foot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          move();
        }}
      >
        <fieldset className={controls.choices}>
          <legend>{t.bulkEdit.changeTo}</legend>
          {offered.length === 0 ? <p>{t.bulkEdit.allFinal}</p> : null}
          {offered.map(({ status, count }) => (
            <label key={status} className={controls.choice}>
              <input
                type="radio"
                name="status"
                value={status}
                checked={target === status}
                onChange={() => setTarget(status)}
              />
              {formatCode(status)}
              <span className={text.hint}>
                {count === shipments.length ? t.bulkEdit.all : t.bulkEdit.of(count, shipments.length)}
              </span>
            </label>
          ))}
        </fieldset>
        {target === 'REJECTED' ? <RejectionReason value={reason} onChange={setReason} /> : null}
        {target !== undefined && some.length < shipments.length ? (
          <p className={text.hint}>{t.bulkEdit.othersStay}</p>
        ) : null}
        {target === undefined ? null : <p className={text.hint}>{wayBackOf(some, target)}</p>}
      </form>
    </Dialog>
  );
}

function wayBackOf(some: readonly Row[], target: ShipmentStatus): string {
  if (isFinal(target)) return t.bulkEdit.isFinal(formatCode(target));
  const canUndo = some.filter(({ status }) => hasWayBack(status, target)).length;
  if (canUndo === some.length) return t.board.canUndo;
  return canUndo === 0 ? t.bulkEdit.cannotUndo : t.bulkEdit.canUndoSome(canUndo, some.length);
}

/** Addresses differ between shipments, so they are not offered. */
const OFFERED = FIELDS.shipment.filter(({ name }) => !name.includes('/'));

/** Asks for a field and its new value for all shipments. */
export function AskField({ title, shipments, onClose, onChange }: AskProps) {
  const id = useId();
  const [field, setField, forgetField] = useTyped<Field | undefined>('field of many', undefined);
  const [values, setValues, forgetValues] = useTyped<Values>('values of many', {});
  const value = values[field?.name ?? ''] ?? null;
  const fault = field && weightFaults({ [field.name]: value })[field.name];
  const change = () => {
    if (field === undefined || fault !== undefined) return;
    forgetField();
    forgetValues();
    onChange({ kind: 'field', field: field.name, value }, shipments);
  };
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button
        type="button"
        className={controls.primary}
        disabled={field === undefined || fault !== undefined}
        onClick={change}
      >
        {field === undefined || fault !== undefined ? t.bulkEdit.change : actionOf(field, value)}
      </button>
    </>
  );
  return (
    <Dialog title={t.bulkEdit.changeThem(title)} isSmall onClose={onClose} foot={foot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change();
        }}
      >
        <div className={controls.field}>
          <label className={controls.label} htmlFor={`${id}-field`}>
            {t.bulkEdit.fieldLabel}
          </label>
          <select
            id={`${id}-field`}
            value={field?.name ?? ''}
            onChange={({ target }) => setField(OFFERED.find(({ name }) => name === target.value))}
          >
            <option value="" />
            {OFFERED.map(({ name }) => (
              <option key={name} value={name}>
                {labelOf(name)}
              </option>
            ))}
          </select>
        </div>
        {field === undefined ? null : (
          <div className={controls.field}>
            <label className={controls.label} htmlFor={id}>
              {t.bulkEdit.newValue}
            </label>
            <FieldInput
              key={field.name}
              field={field}
              id={id}
              value={value}
              describedBy={`${id}-fault`}
              isInvalid={fault !== undefined}
              onChange={(next) => setValues({ ...values, [field.name]: next })}
            />
            <p id={`${id}-fault`} className={text.fault}>
              {fault}
            </p>
          </div>
        )}
      </form>
    </Dialog>
  );
}

function actionOf({ name, input }: Field, value: Value): string {
  const label = t.inSentence(labelOf(name));
  if (value === null) return t.bulkEdit.clearField(label);
  return input === 'long' ? t.bulkEdit.setField(label) : t.bulkEdit.setTo(label, formatValue(name, value));
}
