import { Dialog } from '../components/Dialog.js';
import { TheirChanges } from '../components/TheirChanges.js';
import type { Row } from '../model/rows.js';
import { changesSince } from './bulk-edit.js';
import { Name } from './Name.js';
import type { Chosen } from './use-selection.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './bulk-edit.module.css';

interface ChangedSinceProps {
  readonly chosen: readonly Chosen[];
  readonly onClose: () => void;
  /** Continues with these rows, in the versions shown here. */
  readonly onGoOn: (rows: readonly Row[]) => void;
}

export function isChanged({ seen, now }: Chosen): boolean {
  return now.isDeleted === true || now.eTag !== seen.eTag;
}

/** Shows changes by others since the shipments were selected, before anything is written. */
export function ChangedSince({ chosen, onClose, onGoOn }: ChangedSinceProps) {
  const changed = chosen.filter(isChanged);
  const rowsOf = (some: readonly Chosen[]) => some.map(({ now }) => now).filter(({ isDeleted }) => isDeleted !== true);
  const unchanged = rowsOf(chosen.filter((each) => !isChanged(each)));
  const all = rowsOf(chosen);
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      {unchanged.length === 0 ? null : (
        <button type="button" onClick={() => onGoOn(unchanged)}>
          {t.bulkEdit.continueOthers(unchanged.length)}
        </button>
      )}
      {all.length === unchanged.length ? null : (
        <button type="button" className={controls.primary} onClick={() => onGoOn(all)}>
          {t.bulkEdit.continueAll}
        </button>
      )}
    </>
  );
  const title = t.bulkEdit.changedSince(changed.length, chosen.length);
  return (
    <Dialog title={title} onClose={onClose} foot={foot}>
      <ul className={styles.refused}>
        {changed.map(({ seen, now }) => (
          <li key={now.id}>
            <Name shipment={now} /> {now.isDeleted === true ? t.bulkEdit.deleted : null}
            <TheirChanges recordID={now.id} changes={changesSince(seen, now)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
