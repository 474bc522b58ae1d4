import styles from './Badge.module.css';
import { classes } from './classes.js';

export type Tone = 'plain' | 'accent' | 'warn' | 'quiet';

/** A short word about the state of something. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}
