import { labelOf } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import type { Edits } from '../model/merge.js';
import { announce } from '../components/notice.js';
import { t } from '../texts/texts.js';
import styles from './edit.module.css';

/** What the user entered. */
export function MyValues({ edits }: { readonly edits: Edits }) {
  return (
    <dl className={styles.myValues}>
      {Object.entries(edits).map(([field, { to }]) => (
        <div key={field}>
          <dt>{labelOf(field)}</dt>
          <dd>{formatValue(field, to)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CopyMyValues({ edits }: { readonly edits: Edits }) {
  const copy = async () => {
    const lines = Object.entries(edits).map(([field, { to }]) => `${labelOf(field)}: ${to ?? ''}`);
    await navigator.clipboard.writeText(lines.join('\n'));
    announce(t.conflict.copied);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {t.conflict.copy}
    </button>
  );
}
