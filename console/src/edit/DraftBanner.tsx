import { useState } from 'react';
import { Link } from 'wouter';
import type { Kind } from '../model/fields.js';
import { Ago } from '../parts/Moment.js';
import { session } from '../session/session.js';
import { readDraft, writeDraft } from './kept-draft.js';
import { classes } from '../parts/classes.js';
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
        {draft.sent === undefined
          ? `You have ${count === 1 ? 'an unsaved change' : `${count} unsaved changes`}`
          : 'Your changes may not have been saved'}
        , last edited <Ago at={draft.at} />.
      </p>
      <div className={controls.actions}>
        <button
          type="button"
          onClick={() => {
            writeDraft(session.subject, kind, id, undefined);
            setDraft(undefined);
          }}
        >
          Discard
        </button>
        <Link className={classes(controls.button, controls.primary)} href={`/${kind}s/${id}/edit`}>
          Continue editing
        </Link>
      </div>
    </div>
  );
}
