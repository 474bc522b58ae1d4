import type { Count } from '@waybill/client';
import { Suspense, useState } from 'react';
import { formatCount } from '../model/format.js';
import { lazyView, openDialog } from '../components/lazy-view.js';
import { session } from '../session/session.js';
import { MAX_SELECTED, type Chosen, type Selection } from './use-selection.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './bulk-edit.module.css';

const BulkEditDialog = lazyView(() => import('./BulkEditDialog.js'));

interface Asked {
  readonly what: 'status' | 'field';
  /** The selection when the dialog was opened. */
  readonly chosen: readonly Chosen[];
}

interface SelectionBarProps {
  readonly selection: Selection;
  /** How many shipments could be selected. */
  readonly matching: Count | undefined;
}

/** Actions on the selected shipments. */
export function SelectionBar({ selection, matching }: SelectionBarProps) {
  const { chosen } = selection;
  const [asked, setAsked] = useState<Asked>();
  if (chosen.length === 0 && asked === undefined) return null;
  return (
    <div className={styles.selection} role="toolbar" aria-label={t.bulkEdit.selected}>
      <span role="status">
        {matching === undefined
          ? t.bulkEdit.count(chosen.length)
          : t.bulkEdit.countOf(chosen.length, formatCount(matching))}
        {chosen.length >= MAX_SELECTED ? t.bulkEdit.maximum : ''}
      </span>
      {session.can('shipments:status') ? (
        <button type="button" onClick={() => openDialog(BulkEditDialog, () => setAsked({ what: 'status', chosen }))}>
          {t.actions.askStatus}
        </button>
      ) : null}
      {session.can('shipments:write') ? (
        <button type="button" onClick={() => openDialog(BulkEditDialog, () => setAsked({ what: 'field', chosen }))}>
          {t.bulkEdit.field}
        </button>
      ) : null}
      <button type="button" className={controls.quiet} onClick={selection.clear}>
        {t.bulkEdit.clear}
      </button>
      {asked === undefined ? null : (
        <Suspense>
          <BulkEditDialog
            {...asked}
            onClose={(left) => {
              setAsked(undefined);
              if (left !== undefined) selection.keepOnly(left);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
