import type { ReactNode } from 'react';
import { classes } from './classes.js';
import { Fault } from './Fault.js';
import styles from './FormFoot.module.css';
import text from './text.module.css';

interface FormFootProps {
  readonly fault: unknown;
  readonly hint: string;
  /** The buttons. */
  readonly children: ReactNode;
}

/** The buttons of a long form, which stay visible below it. */
export function FormFoot({ fault, hint, children }: FormFootProps) {
  return (
    <div className={styles.foot}>
      <Fault error={fault} />
      <span className={classes(text.hint, styles.hint)}>{hint}</span>
      {children}
    </div>
  );
}
