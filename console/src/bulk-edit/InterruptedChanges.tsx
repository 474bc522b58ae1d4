import { Suspense, useEffect, useState } from 'react';
import { lazyView, openDialog } from '../components/lazy-view.js';
import { announce } from '../components/notice.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { useStore } from '../use-store.js';
import { begun, findKeptChanges, forgetChange, keepChange, type KeptChange } from './kept-change.js';
import { NotKept } from './NotKept.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import styles from './bulk-edit.module.css';

const BulkEditDialog = lazyView(() => import('./BulkEditDialog.js'));

/** Points out changes of many shipments whose outcome the user has not seen. */
export function InterruptedChanges() {
  const all = useStore(begun);
  const [shown, setShown] = useState<KeptChange>();
  useEffect(findKeptChanges, []);
  if (shown !== undefined) {
    return (
      <Suspense>
        <BulkEditDialog chosen={[]} kept={shown} onClose={() => setShown(undefined)} />
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
              announce(t.bulkEdit.reportDiscarded, { undo: () => keepChange(kept, false) });
            }}
          >
            {t.actions.discard}
          </button>
          <button
            type="button"
            className={controls.primary}
            onClick={() => openDialog(BulkEditDialog, () => setShown(kept))}
          >
            {t.bulkEdit.showReport}
          </button>
        </div>
      </div>
    ));
}

function sentenceOf({ outcome: { updated, refused, unknown, left } }: KeptChange): string {
  const counts = [updated.length, refused.length, unknown.length, left.length] as const;
  const all = counts.reduce((sum, count) => sum + count, 0);
  return t.bulkEdit.interrupted(t.bulkEdit.shipments(all), t.bulkEdit.outcome(...counts));
}
