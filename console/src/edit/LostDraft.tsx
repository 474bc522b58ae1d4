import { announceDiscarded, discards } from '../discarded.js';
import type { Kind } from '../model/fields.js';
import { session } from '../session/session.js';
import { useStore } from '../use-store.js';
import { EditSession } from './edit-session.js';
import { discardDraft, readDraft } from './kept-draft.js';
import { CopyMyValues, MyValues } from './MyValues.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './edit.module.css';

/** The draft of a record that is gone for good, for the user to copy. */
export function LostDraft({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  useStore(discards);
  const draft = readDraft(session.subject, kind, id);
  if (draft === undefined) return null;
  return (
    <section className={styles.lost}>
      <p>{t.edit.lost}</p>
      <MyValues edits={draft.edits} />
      <p className={controls.actions}>
        <CopyMyValues edits={draft.edits} />
        <button
          type="button"
          onClick={() => {
            discardDraft(session.subject, kind, id);
            announceDiscarded(() => EditSession.bringBack(kind, id));
          }}
        >
          {t.conflict.discard}
        </button>
      </p>
    </section>
  );
}
