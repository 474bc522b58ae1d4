import { useId, type ReactNode } from 'react';
import { authorOf } from '../author.js';
import { fieldOf, labelOf, type Field, type Values } from '../model/fields.js';
import { formatCode, formatValue } from '../model/format.js';
import type { Obstacle } from '../model/edit.js';
import type { Collision, Decisions, Edits, Merge } from '../model/merge.js';
import { weightFaults } from '../model/weights.js';
import { wordDiff } from '../model/word-diff.js';
import { Decided } from '../components/Decided.js';
import { Dialog } from '../components/Dialog.js';
import { Ago } from '../components/Moment.js';
import { FieldInput } from './FieldInput.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './ConflictDialog.module.css';

interface ConflictDialogProps {
  readonly recordID: string;
  readonly conflict: Extract<Obstacle, { kind: 'conflict' }>;
  readonly edits: Edits;
  readonly decisions: Decisions;
  readonly closeLabel: string;
  readonly onDecide: (decisions: Decisions) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Somebody else saved first. The user resolves conflicts field by field; nothing is preselected. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { recordID, conflict, edits, decisions, closeLabel, onDecide, onSave, onClose } = props;
  const { merge, isFurther } = conflict;
  const { collisions } = merge;
  const isDecided = ({ name }: Collision) => {
    const decision = decisions[name];
    return decision !== undefined && Object.keys(weightFaults(decision)).length === 0;
  };
  const decided = collisions.filter(isDecided).length;
  const moved = merge.theirs.find(({ field }) => field === 'status');
  const all = (side: 'theirs' | 'mine') =>
    onDecide(Object.fromEntries(collisions.map((each) => [each.name, each[side]])));
  const title = collisions.length > 0 ? titleOf(recordID, collisions) : t.conflict.statusTitle;
  const head = collisions.length === 0 ? null : <Decided decided={decided} of={collisions.length} onAll={all} />;
  const foot = (
    <>
      <button type="button" onClick={onClose}>
        {closeLabel}
      </button>
      <button type="button" className={controls.primary} disabled={decided < collisions.length} onClick={onSave}>
        {collisions.length === 0 ? t.conflict.saveAnyway : t.actions.save}
      </button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} head={head} foot={foot}>
      {isFurther && collisions.length > 0 ? (
        <p className={page.explanation} role="alert">
          {t.conflict.again}
        </p>
      ) : null}
      {moved === undefined ? null : (
        <p className={page.explanation} role="alert">
          <Rich>
            {t.edit.statusChanged<ReactNode>(
              <strong>{authorOf(recordID, moved.changedBy, moved.changedAt)}</strong>,
              formatCode(String(moved.base)),
              <strong>{formatCode(String(moved.current))}</strong>,
            )}
          </Rich>
          {moved.changedAt === undefined ? '' : ', '}
          {moved.changedAt === undefined ? null : <Ago at={moved.changedAt} />}.{t.conflict.check}
        </p>
      )}
      {collisions.map((collision) => (
        <CollisionChoice
          key={collision.name}
          recordID={recordID}
          collision={collision}
          decision={decisions[collision.name]}
          onDecide={(values) => onDecide({ ...decisions, [collision.name]: values })}
        />
      ))}
      <Merged recordID={recordID} merge={merge} edits={edits} />
    </Dialog>
  );
}

function titleOf(recordID: string, collisions: readonly Collision[]): string {
  const authors = [...new Set(collisions.map(({ changedBy, changedAt }) => authorOf(recordID, changedBy, changedAt)))];
  return t.conflict.title(authors, collisions.length);
}

interface CollisionChoiceProps {
  readonly recordID: string;
  readonly collision: Collision;
  readonly decision: Values | undefined;
  readonly onDecide: (values: Values) => void;
}

function CollisionChoice({ recordID, collision, decision, onDecide }: CollisionChoiceProps) {
  const { name, base, theirs, mine, changedBy, changedAt } = collision;
  const id = useId();
  const field = fieldOf(name);
  const isLong = field?.input === 'long';
  const side = (label: ReactNode, values: Values) => (
    <label className={styles.side}>
      <input
        type="radio"
        name={`decide-${name}`}
        checked={decision !== undefined && isSame(decision, values)}
        onChange={() => onDecide(values)}
      />
      <span className={styles.sideLabel}>{label}</span>
      <span className={styles.sideValue}>
        {isLong ? <Diff name={name} base={base} values={values} /> : <Shown collision={collision} values={values} />}
      </span>
    </label>
  );
  const author = authorOf(recordID, changedBy, changedAt);
  const { you, otherTab, elsewhere } = t.authors;
  const isMine = [you, otherTab, elsewhere].includes(author);
  return (
    <fieldset className={styles.collision}>
      <legend>{labelOf(name)}</legend>
      <div className={styles.sides}>
        <div className={classes(styles.side, styles.before)}>
          <span className={styles.sideLabel}>{t.conflict.before}</span>
          <span className={styles.sideValue}>
            <Shown collision={collision} values={base} />
          </span>
        </div>
        {side(
          <>
            <strong>{author}</strong>
            {changedAt === undefined ? null : (
              <>
                {' '}
                <Ago at={changedAt} />
              </>
            )}
          </>,
          theirs,
        )}
        {side(<strong>{isMine ? t.authors.youHere : t.authors.you}</strong>, mine)}
      </div>
      {field === undefined ? null : <Result id={id} field={field} decision={decision} onDecide={onDecide} />}
    </fieldset>
  );
}

interface ResultProps {
  readonly id: string;
  readonly field: Field;
  readonly decision: Values | undefined;
  readonly onDecide: (values: Values) => void;
}

function Result({ id, field, decision, onDecide }: ResultProps) {
  const fault = weightFaults(decision ?? {})[field.name];
  return (
    <div className={classes(controls.field, styles.result)}>
      <label className={controls.label} htmlFor={id}>
        {t.conflict.result}
      </label>
      <FieldInput
        field={field}
        id={id}
        value={decision?.[field.name] ?? null}
        placeholder={decision === undefined ? t.conflict.choose : ''}
        describedBy={`${id}-fault`}
        isInvalid={fault !== undefined}
        onChange={(value) => onDecide({ [field.name]: value })}
      />
      <p id={`${id}-fault`} className={text.fault}>
        {fault}
      </p>
    </div>
  );
}

function isSame(one: Values, other: Values): boolean {
  return Object.keys(other).every((field) => one[field] === other[field]);
}

/** The value of a field, or the lines of an address. */
function Shown({ collision: { name, fields }, values }: { readonly collision: Collision; readonly values: Values }) {
  if (fieldOf(name) !== undefined) return <>{formatValue(name, values[name] ?? null)}</>;
  const lines = fields.map((field) => values[field]).filter((line) => line != null);
  if (lines.length === 0) return <>{t.conflict.removed}</>;
  return <>{lines.join(', ')}</>;
}

function Diff({ name, base, values }: { readonly name: string; readonly base: Values; readonly values: Values }) {
  const [before, after] = [String(base[name] ?? ''), String(values[name] ?? '')];
  if (after === '') return <>{t.none}</>;
  return (
    <>
      {wordDiff(before, after).map(({ text, change }, index) => {
        if (change === 'added') return <ins key={index}>{text}</ins>;
        return change === 'removed' ? <del key={index}>{text}</del> : <span key={index}>{text}</span>;
      })}
    </>
  );
}

interface MergedProps {
  readonly recordID: string;
  readonly merge: Merge;
  readonly edits: Edits;
}

function Merged({ recordID, merge, edits }: MergedProps) {
  const theirs: Merge['theirs'] = [...merge.theirs, ...merge.same].filter(({ field }) => field !== 'status');
  const { mine } = merge;
  if (theirs.length + mine.length === 0) return null;
  const count = theirs.length + mine.length;
  return (
    <details className={styles.merged}>
      <summary>{t.conflict.merged(count)}</summary>
      <ul>
        {theirs.map(({ field, base, current, changedBy, changedAt }) => (
          <li key={field}>
            <strong>{authorOf(recordID, changedBy, changedAt)}</strong>: {labelOf(field)} {formatValue(field, base)} →{' '}
            {formatValue(field, current)}
          </li>
        ))}
        {mine.map((field) => (
          <li key={field}>
            <strong>{t.authors.you}</strong>: {labelOf(field)} {formatValue(field, merge.current.values[field] ?? null)}{' '}
            → {formatValue(field, edits[field]?.to ?? null)}
          </li>
        ))}
      </ul>
    </details>
  );
}
