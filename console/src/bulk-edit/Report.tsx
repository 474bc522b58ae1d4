import { useState } from 'react';
import { labelOf } from '../model/fields.js';
import { formatCode, formatValue } from '../model/format.js';
import { Decided } from '../components/Decided.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { TheirChanges } from '../components/TheirChanges.js';
import type { Row } from '../model/rows.js';
import { fieldOf, undoOf, valueFor, type BulkEdit, type Outcome, type RefusedChange } from './bulk-edit.js';
import { Name } from './Name.js';
import { NotKept } from './NotKept.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './bulk-edit.module.css';

interface ReportProps {
  readonly change: BulkEdit;
  readonly outcome: Outcome;
  readonly onClose: () => void;
  readonly onUndo: () => void;
  /** Repeats changes with an unknown outcome, and continues with those that were not tried. */
  readonly onGoOn: () => void;
  /** Overwrites the changes of others, which the user has seen, with `mine`; the rest stays refused. */
  readonly onSettle: (mine: readonly Row[], rest: readonly RefusedChange[]) => void;
}

type Side = 'mine' | 'theirs';

/** The results. Conflicts are resolved one by one or all at once; nothing is preselected. */
export function Report({ change, outcome, onClose, onUndo, onGoOn, onSettle }: ReportProps) {
  const { updated, refused, unknown, left, fault } = outcome;
  const [sides, setSides] = useState<Readonly<Record<string, Side | undefined>>>({});
  const open = refused.filter(({ theirs }) => theirs !== undefined);
  const closed = refused.filter(({ theirs }) => theirs === undefined);
  const decided = open.filter(({ shipment }) => sides[shipment.id] !== undefined).length;
  const all = (side: Side) => setSides(Object.fromEntries(open.map(({ shipment }) => [shipment.id, side])));
  const settle = () => {
    const mine = open.flatMap(({ shipment, theirs }) => (sides[shipment.id] === 'mine' && theirs ? [theirs] : []));
    if (mine.length === 0) onClose();
    else onSettle(mine, [...closed, ...open.filter(({ shipment }) => sides[shipment.id] === undefined)]);
  };
  const head = open.length === 0 ? null : <Decided decided={decided} of={open.length} onAll={all} />;
  const foot = (
    <>
      <Fault error={unknown.length > 0 ? t.bulkEdit.open : fault} />
      {unknown.length + left.length === 0 ? null : (
        <button type="button" onClick={onGoOn}>
          {unknown.length > 0 ? t.actions.tryAgain : t.bulkEdit.continueOthers(left.length)}
        </button>
      )}
      {unknown.length + left.length + open.length > 0 || undoOf(change, outcome) === undefined ? null : (
        <button type="button" onClick={onUndo}>
          {t.actions.undo}
        </button>
      )}
      <button type="button" className={open.length === 0 ? controls.primary : undefined} onClick={onClose}>
        {t.actions.close}
      </button>
      {open.length === 0 ? null : (
        <button type="button" className={controls.primary} disabled={decided < open.length} onClick={settle}>
          {t.actions.save}
        </button>
      )}
    </>
  );
  return (
    <Dialog title={titleOf(outcome)} onClose={onClose} head={head} foot={foot}>
      <p>{t.bulkEdit.outcome(updated.length, refused.length, unknown.length, left.length)}</p>
      {unknown.length > 0 ? <NotKept /> : null}
      {open.map(({ shipment, changes }) => (
        <Decision
          key={shipment.id}
          change={change}
          shipment={shipment}
          changes={changes}
          side={sides[shipment.id]}
          onDecide={(side) => setSides({ ...sides, [shipment.id]: side })}
        />
      ))}
      {closed.length === 0 ? null : (
        <ul className={styles.refused}>
          {closed.map(({ shipment, text, changes }) => (
            <li key={shipment.id}>
              <Name shipment={shipment} /> {text}
              <TheirChanges recordID={shipment.id} changes={changes} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function titleOf({ refused, unknown, left }: Outcome): string {
  if (unknown.length + left.length > 0) return t.bulkEdit.notFinished;
  return refused.length === 0 ? t.bulkEdit.isDone : t.bulkEdit.partly;
}

interface DecisionProps extends Pick<RefusedChange, 'shipment' | 'changes'> {
  readonly change: BulkEdit;
  readonly side: Side | undefined;
  readonly onDecide: (side: Side) => void;
}

function Decision({ change, shipment, changes, side, onDecide }: DecisionProps) {
  const [field, wanted] = [fieldOf(change), valueFor(change, shipment.id)];
  const theirs = changes.find((each) => each.field === field)?.current;
  const choice = (each: Side, label: string) => (
    <label className={controls.choice}>
      <input type="radio" name={`side-${shipment.id}`} checked={side === each} onChange={() => onDecide(each)} />
      {label}
    </label>
  );
  return (
    <fieldset className={styles.decision}>
      <legend>
        <span className={text.code}>{shipment.shipmentCode}</span> <bdi>{shipment.shipmentType}</bdi>
      </legend>
      <TheirChanges recordID={shipment.id} changes={changes} />
      <div className={classes(controls.choices, styles.sides)}>
        {choice('theirs', theirs === undefined ? t.actions.leave : t.bulkEdit.theirs(formatValue(field, theirs)))}
        {choice(
          'mine',
          t.bulkEdit.mine(
            field === 'status' ? formatCode(String(wanted)) : `${labelOf(field)} ${formatValue(field, wanted)}`,
          ),
        )}
      </div>
    </fieldset>
  );
}
