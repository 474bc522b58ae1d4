import { labelOf } from '../model/fields.js';
import type { DateField } from '../model/list-query.js';
import { Dialog } from '../components/Dialog.js';
import { useTyped } from '../components/use-typed.js';
import { titleOf, type Row } from '../model/rows.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';

interface ChangeDateProps {
  readonly shipment: Row;
  readonly field: DateField;
  readonly onChange: (to: string) => void;
  readonly onClose: () => void;
}

/** Asks for a date, where shipments cannot be dragged. */
export function ChangeDate({ shipment, field, onChange, onClose }: ChangeDateProps) {
  const [to, setTo, forget] = useTyped(`${field} ${shipment.id}`, shipment[field] ?? '');
  const isReady = to !== '' && to !== shipment[field];
  const change = () => {
    if (!isReady) return;
    forget();
    onClose();
    onChange(to);
  };
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button type="button" className={controls.primary} disabled={!isReady} onClick={change}>
        {t.calendar.change}
      </button>
    </>
  );
  const title = t.calendar.changeOf(titleOf(shipment));
  return (
    <Dialog title={title} isSmall onClose={onClose} foot={foot}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change();
        }}
      >
        <label className={controls.field}>
          <span className={controls.label}>{labelOf(field)}</span>
          <input type="date" value={to} onChange={({ target }) => setTo(target.value)} />
        </label>
      </form>
    </Dialog>
  );
}
