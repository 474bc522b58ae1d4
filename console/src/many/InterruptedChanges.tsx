import { Suspense, useEffect, useState } from 'react';
import { lazyView, openDialog } from '../parts/lazy-view.js';
import { announce } from '../parts/notice.js';
import { classes } from '../parts/classes.js';
import { t } from '../texts/texts.js';
import { useStore } from '../use-store.js';
import { begun, findKeptChanges, forgetChange, keepChange, type KeptChange } from './kept-change.js';
import { NotKept } from './NotKept.js';
import controls from '../parts/controls.module.css';
import page from '../parts/page.module.css';
import styles from './many.module.css';

const ManyDialog = lazyView(() => import('./ManyDialog.js'));

/** Points out changes of many shipments whose outcome the user has not seen. */
export function InterruptedChanges() {
  const all = useStore(begun);
  const [shown, setShown] = useState<KeptChange>();
  useEffect(findKeptChanges, []);
  if (shown !== undefined) {
    return (
      <Suspense>
        <ManyDialog chosen={[]} kept={shown} onClose={() => setShown(undefined)} />
      </Suspense>
    );
  }
  return all
    .filter(({ isShown }) => !isShown)
    .map((kept) => (
      <div key={kept.key} className={classes(page.banner, styles.interrupted)} role="status">
        <p>{sentenceOf(kept)}</p>
        <NotKept />
        <div className={controls.actions}>
          <button
            type="button"
            onClick={() => {
              forgetChange(kept.key);
              announce(t.many.reportDiscarded, { undo: () => keepChange(kept, false) });
            }}
          >
            {t.actions.discard}
          </button>
          <button
            type="button"
            className={controls.primary}
            onClick={() => openDialog(ManyDialog, () => setShown(kept))}
          >
            {t.many.showReport}
          </button>
        </div>
      </div>
    ));
}

function sentenceOf({ outcome: { updated, refused, unknown, left } }: KeptChange): string {
  const counts = [updated.length, refused.length, unknown.length, left.length] as const;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return t.many.interrupted(t.many.shipments(all), t.many.outcome(...counts));
}
