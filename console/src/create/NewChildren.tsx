import { Plus } from 'lucide-react';
import { EditObstacle } from '../edit/EditObstacle.js';
import { RecordFields } from '../edit/RecordFields.js';
import { useEditSession } from '../edit/use-edit.js';
import type { ChildKind } from '../edit/records.js';
import type { Creation, NewChildSession } from './creation.js';
import { announce } from '../components/notice.js';
import { t } from '../texts/texts.js';
import childrenStyles from '../views/Children.module.css';
import controls from '../components/controls.module.css';
import text from '../components/text.module.css';
import styles from './create.module.css';

/** One releasing and one receiving agent. */
const MAX_AGENTS = 2;

interface NewChildrenProps {
  readonly kind: ChildKind;
  readonly creation: Creation;
  readonly onSave: () => void;
}

/** The agents or services that are created with a shipment. */
export function NewChildren({ kind, creation, onSave }: NewChildrenProps) {
  const { parts, isSaving } = creation.get();
  const own = parts.filter((part) => part.kind === kind);
  return (
    <section className={styles.parts} aria-labelledby={`new-${kind}s`}>
      <header className={childrenStyles.head}>
        <h2 id={`new-${kind}s`}>{t.children[kind]}</h2>
        {kind === 'service' || own.length < MAX_AGENTS ? (
          <button type="button" className={controls.quiet} disabled={isSaving} onClick={() => creation.add(kind)}>
            <Plus />
            {t.actions.add[kind]}
          </button>
        ) : null}
      </header>
      {own.length === 0 ? <p className={text.hint}>{t.create.noChildren}</p> : null}
      {own.map((part, index) => (
        <ChildFields
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

interface ChildFieldsProps {
  readonly part: NewChildSession;
  readonly number: number;
  readonly creation: Creation;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

function ChildFields({ part, number, creation, isSaving, onSave }: ChildFieldsProps) {
  const { kind, edit } = part;
  const editing = useEditSession(edit, edit.record, () => undefined);
  const remove = () => {
    creation.remove(part);
    announce(t.create.removedChild[kind](number), { undo: () => creation.putBack(part) });
  };
  return (
    <fieldset className={styles.part} disabled={isSaving}>
      <legend>{t.create.child[kind](number)}</legend>
      <RecordFields kind={kind} record={edit.record} editing={editing} />
      <button type="button" className={controls.quiet} aria-label={t.create.removeChild[kind](number)} onClick={remove}>
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
