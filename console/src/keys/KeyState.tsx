import type { Key } from '@waybill/client';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import styles from './Keys.module.css';

export function KeyState({ state }: Pick<Key, 'state'>) {
  return <span className={classes(styles.state, styles[state])}>{t.keys.states[state]}</span>;
}

/** Says if whoever created the key may no longer do what it does. */
export function CreatorLacks({ record }: { readonly record: Key }) {
  const { creatorLacks } = record;
  if (creatorLacks.length === 0) return null;
  return <span className={styles.lacks}>{t.keys.creatorLacks(creatorLacks.join(', '))}</span>;
}
