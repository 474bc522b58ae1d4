import { useLayoutEffect, useRef, type ReactNode } from 'react';
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
  const foot = useRef<HTMLDivElement>(null);
  // Notices stay above the foot, however many lines it has.
  useLayoutEffect(() => {
    const element = foot.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const watcher = new ResizeObserver(() => style.setProperty('--form-foot', `${element.offsetHeight + 8}px`));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      style.removeProperty('--form-foot');
    };
  }, []);
  return (
    <div ref={foot} className={styles.foot}>
      <Fault error={fault} />
      <span className={classes(text.hint, styles.hint)}>{hint}</span>
      {children}
    </div>
  );
}
