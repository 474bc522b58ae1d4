import { useEffect, useEffectEvent } from 'react';
import { Link } from 'wouter';
import { WasDeleted } from '../deleted/WasDeleted.js';
import { EditConflict } from '../edit/EditConflict.js';
import { savedSentence } from '../edit/saved-sentence.js';
import { useEdit } from '../edit/use-edit.js';
import { labelOf } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import type { DateField } from '../model/list-query.js';
import { announce } from '../components/notice.js';
import { offerUndo } from '../undo/undo.js';
import { Dialog } from '../components/Dialog.js';
import type { Row } from '../model/rows.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';

export interface DateChange {
  /** The shipment in the version that the user saw. */
  readonly shipment: Row;
  readonly field: DateField;
  readonly to: string;
}

interface WriteDateProps extends DateChange {
  readonly onDone: (isSaved: boolean) => void;
}

/** Saves a date like the form does, and shows a dialog if that is not possible. */
export function WriteDate({ shipment, field, to, onDone }: WriteDateProps) {
  const editing = useEdit('shipment', shipment, (saved, version) => {
    // A conflict may have been decided for another date.
    const now = version.values[field] ?? null;
    const changed = t.calendar.changed(shipment.shipmentCode, labelOf(field), formatValue(field, now));
    const text = `${changed} ${savedSentence(shipment.id, saved)}`;
    if (saved.replaced !== undefined) {
      const before = { [field]: saved.replaced[field] ?? null };
      offerUndo(text, { kind: 'edit', of: 'shipment', record: shipment, version, before });
    } else announce(now === to ? text : t.calendar.unchanged);
    onDone(now === to);
  });
  const { obstacle, fault, errors } = editing;
  const write = useEffectEvent(() => {
    editing.change(field, to);
    void editing.save();
  });
  useEffect(() => write(), []);
  const drop = () => {
    editing.drop();
    onDone(false);
  };
  const giveUp = (text: string, isFault = false) => {
    announce(text, { isFault });
    drop();
  };
  const refused = useEffectEvent(() => {
    if (obstacle?.kind === 'forbidden') giveUp(obstacle.detail, true);
  });
  useEffect(() => refused(), [obstacle]);
  if (obstacle?.kind === 'conflict') {
    return (
      <EditConflict
        recordID={shipment.id}
        editing={editing}
        closeLabel={t.actions.leave}
        onClose={() => giveUp(t.calendar.unchanged)}
      />
    );
  }
  if (obstacle?.kind === 'deleted') {
    return (
      <WasDeleted kind="shipment" id={shipment.id} history={{ kind: 'shipment', id: shipment.id }} onClose={drop}>
        {() => <p>{t.calendar.unchanged}</p>}
      </WasDeleted>
    );
  }
  if (fault === undefined) return null;
  const foot = (
    <>
      <button
        type="button"
        onClick={() => {
          editing.discard();
          onDone(false);
        }}
      >
        {t.actions.discard}
      </button>
      <Link className={controls.button} href={`/shipments/${shipment.id}/edit`}>
        {t.calendar.openForm}
      </Link>
      <button type="button" className={controls.primary} onClick={() => void editing.save()}>
        {t.actions.tryAgain}
      </button>
    </>
  );
  return (
    <Dialog
      title={t.calendar.notChanged(shipment.shipmentCode, labelOf(field))}
      isSmall
      onClose={() => onDone(false)}
      foot={foot}
    >
      <p role="alert">{fault}</p>
      {Object.entries(errors).map(([name, message]) => (
        <p key={name}>
          {labelOf(name)} {message}
        </p>
      ))}
    </Dialog>
  );
}
