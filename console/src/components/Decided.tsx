import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Decided.module.css';

interface DecidedProps {
  readonly decided: number;
  readonly of: number;
  readonly onAll: (side: 'mine' | 'theirs') => void;
}

/** The number of resolved conflicts, and buttons that resolve all of them. */
export function Decided({ decided, of: all, onAll }: DecidedProps) {
  return (
    <div className={styles.decided}>
      <span role="status">{t.conflict.decided(decided, all)}</span>
      <span className={controls.actions}>
        <button type="button" onClick={() => onAll('theirs')}>
          {t.conflict.allTheirs}
        </button>
        <button type="button" onClick={() => onAll('mine')}>
          {t.conflict.allMine}
        </button>
      </span>
    </div>
  );
}
