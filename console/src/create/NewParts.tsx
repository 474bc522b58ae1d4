import { Plus } from 'lucide-react';
import { EditObstacle } from '../edit/EditObstacle.js';
import { RecordFields } from '../edit/RecordFields.js';
import { useEditSession } from '../edit/use-edit.js';
import type { PartKind } from '../edit/records.js';
import type { Creation, NewPartSession } from './creation.js';
import { announce } from '../parts/notice.js';
import { t } from '../texts/texts.js';
import partsStyles from '../views/Parts.module.css';
import controls from '../parts/controls.module.css';
import text from '../parts/text.module.css';
import styles from './create.module.css';

/** One releasing and one receiving agent. */
const MAX_AGENTS = 2;

interface NewPartsProps {
  readonly kind: PartKind;
  readonly creation: Creation;
  readonly onSave: () => void;
}

/** The agents or services that are created with a shipment. */
export function NewParts({ kind, creation, onSave }: NewPartsProps) {
  const { parts, isSaving } = creation.get();
  const own = parts.filter((part) => part.kind === kind);
  return (
    <section className={styles.parts} aria-labelledby={`new-${kind}s`}>
      <header className={partsStyles.head}>
        <h2 id={`new-${kind}s`}>{t.parts[kind]}</h2>
        {kind === 'service' || own.length < MAX_AGENTS ? (
          <button type="button" className={controls.quiet} disabled={isSaving} onClick={() => creation.add(kind)}>
            <Plus />
            {t.actions.add[kind]}
          </button>
        ) : null}
      </header>
      {own.length === 0 ? <p className={text.hint}>{t.create.noParts}</p> : null}
      {own.map((part, index) => (
        <PartFields
          key={part.id}
          part={part}
          number={index + 1}
          creation={creation}
          isSaving={isSaving}
          onSave={onSave}
        />
      ))}
    </section>
  );
}

interface PartFieldsProps {
  readonly part: NewPartSession;
  readonly number: number;
  readonly creation: Creation;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

function PartFields({ part, number, creation, isSaving, onSave }: PartFieldsProps) {
  const { kind, edit } = part;
  const editing = useEditSession(edit, edit.record, () => undefined);
  const remove = () => {
    creation.remove(part);
    announce(t.create.removedPart[kind](number), { undo: () => creation.putBack(part) });
  };
  return (
    <fieldset className={styles.part} disabled={isSaving}>
      <legend>{t.create.part[kind](number)}</legend>
      <RecordFields kind={kind} record={edit.record} editing={editing} />
      <button type="button" className={controls.quiet} aria-label={t.create.removePart[kind](number)} onClick={remove}>
        {t.actions.remove}
      </button>
      {/* Without its shipment, none of the parts can be saved any more. */}
      <EditObstacle
        kind={kind}
        record={edit.record}
        editing={editing}
        onDiscard={() => (editing.obstacle?.kind === 'deleted' ? creation.discard() : remove())}
        onSave={onSave}
      />
    </fieldset>
  );
}
