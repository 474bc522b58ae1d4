import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { classes } from './classes.js';
import styles from './Dialog.module.css';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isSmall?: boolean;
  /** Stays visible above the scrolling content. */
  readonly head?: ReactNode;
  readonly foot?: ReactNode;
}

/** A native modal dialog: the browser traps and restores the focus. Esc closes it. */
export function Dialog({ title, onClose, children, isSmall = false, head, foot }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleID = useId();
  // Close it before React removes it: otherwise the browser does not restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes(styles.dialog, isSmall && styles.small)}
      aria-labelledby={titleID}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        // A browser closes a dialog at the second Esc, whatever was done about the first.
        event.preventDefault();
        onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 id={titleID}>{title}</h2>
        {head}
      </header>
      <div className={styles.body}>{children}</div>
      {foot === undefined ? null : <footer className={styles.foot}>{foot}</footer>}
    </dialog>
  );
}
