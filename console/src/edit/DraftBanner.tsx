import { Link } from 'wouter';
import { announceDiscarded, discards, readDiscarded } from '../discarded.js';
import type { Draft } from '../model/draft.js';
import type { Kind } from '../model/fields.js';
import { Ago } from '../components/Moment.js';
import { session } from '../session/session.js';
import { consolePath } from '../settings.js';
import { useStore } from '../use-store.js';
import { EditSession } from './edit-session.js';
import { discardDraft, draftName, readDraft } from './kept-draft.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';

/** Points out unsaved changes, and those that were discarded in this tab. */
export function DraftBanner({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  useStore(discards);
  const draft = readDraft(session.subject, kind, id);
  const discarded = readDiscarded<Draft>(draftName(session.subject, kind, id));
  const form = `/${kind}s/${id}/edit`;
  const bringBack = () => EditSession.bringBack(kind, id);
  if (draft === undefined) {
    if (discarded === undefined) return null;
    return (
      <div className={page.banner}>
        <p>
          <Rich>{t.edit.discardedEarlier(Object.keys(discarded.edits).length, <Ago at={discarded.at} />)}</Rich>
        </p>
        <button type="button" onClick={bringBack}>
          {t.edit.bringBack}
        </button>
      </div>
    );
  }
  const count = Object.keys(draft.edits).length;
  return (
    <div className={page.banner}>
      <p>
        <Rich>
          {draft.sent === undefined
            ? t.edit.unsaved(count, <Ago at={draft.at} />)
            : t.edit.maybeUnsaved(<Ago at={draft.at} />)}
        </Rich>
      </p>
      <div className={controls.actions}>
        <button
          type="button"
          onClick={() => {
            discardDraft(session.subject, kind, id);
            announceDiscarded(bringBack, consolePath + form);
          }}
        >
          {t.actions.discard}
        </button>
        <Link className={classes(controls.button, controls.primary)} href={form}>
          {t.edit.continue}
        </Link>
      </div>
    </div>
  );
}
