import { useState } from 'react';
import { Link } from 'wouter';
import type { Kind } from '../model/fields.js';
import { Ago } from '../parts/Moment.js';
import { session } from '../session/session.js';
import { readDraft, writeDraft } from './kept-draft.js';
import { classes } from '../parts/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../parts/controls.module.css';
import page from '../parts/page.module.css';

/** Points out unsaved changes. */
export function DraftBanner({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const [draft, setDraft] = useState(() => readDraft(session.subject, kind, id));
  if (draft === undefined) return null;
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
            writeDraft(session.subject, kind, id, undefined);
            setDraft(undefined);
          }}
        >
          {t.actions.discard}
        </button>
        <Link className={classes(controls.button, controls.primary)} href={`/${kind}s/${id}/edit`}>
          {t.edit.continue}
        </Link>
      </div>
    </div>
  );
}
