import type { ReactNode } from 'react';
import { classes } from '../components/classes.js';
import text from '../components/text.module.css';
import styles from './record.module.css';

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Fact({ label, children, isWide = false }: FactProps) {
  return (
    <div className={classes(styles.fact, isWide && styles.wide)}>
      <dt>{label}</dt>
      <dd dir="auto">{children ?? <span className={text.none}>–</span>}</dd>
    </div>
  );
}
