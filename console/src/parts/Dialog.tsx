import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
  /** Stays above the content, which scrolls below it. */
  readonly head?: ReactNode;
  readonly foot?: ReactNode;
}

/** A native modal dialog: the browser keeps the focus inside and gives it back. Esc closes it. */
export function Dialog({ title, onClose, children, className = '', head, foot }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleID = useId();
  // Closed before React takes it out of the page: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={titleID}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleID}>{title}</h2>
        {head}
      </header>
      <div className="dialog-body">{children}</div>
      {foot === undefined ? null : <footer className="dialog-foot">{foot}</footer>}
    </dialog>
  );
}
