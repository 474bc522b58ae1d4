import type { ReactNode } from 'react';
import { Dialog } from './Dialog.js';
import { Fault } from './Fault.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';

interface ConfirmProps {
  readonly title: string;
  /** The button that does it. Undefined if it can no longer be done. */
  readonly action: string | undefined;
  readonly cancel?: string;
  readonly isRunning: boolean;
  readonly fault: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before a step that cannot be undone. */
export function Confirm({ title, action, cancel = t.actions.cancel, ...props }: ConfirmProps) {
  const { isRunning, fault, onConfirm, onClose, children } = props;
  const foot = (
    <>
      <Fault error={fault} />
      <button type="button" onClick={onClose}>
        {cancel}
      </button>
      {action === undefined ? null : (
        <button
          type="button"
          className={controls.primary}
          aria-disabled={isRunning}
          onClick={() => {
            if (!isRunning) onConfirm();
          }}
        >
          {action}
        </button>
      )}
    </>
  );
  return (
    <Dialog title={title} isSmall onClose={onClose} foot={foot}>
      {children}
    </Dialog>
  );
}
