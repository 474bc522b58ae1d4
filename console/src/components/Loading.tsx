import { t } from '../texts/texts.js';
import text from './text.module.css';
import styles from './Loading.module.css';

/** Stands in for content that is being read. */
export function Loading({ rows }: { readonly rows: number }) {
  return (
    <div className={styles.loading} role="status">
      <span className={text.unseen}>{t.actions.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className={styles.bar} aria-hidden="true" />
      ))}
    </div>
  );
}
