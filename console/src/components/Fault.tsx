import { CircleAlert } from 'lucide-react';
import { explain } from './faults.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import text from './text.module.css';

interface FaultProps {
  readonly error: unknown;
  /** Offers to try again. */
  readonly onRetry?: () => void;
}

/** Shows an error, also to screen readers. Renders nothing without one. */
export function Fault({ error, onRetry }: FaultProps) {
  if (error === undefined || error === null) return null;
  return (
    <p className={text.fault} role="alert">
      <CircleAlert />
      {explain(error)}
      {onRetry === undefined ? null : (
        <button type="button" className={controls.quiet} onClick={onRetry}>
          {t.actions.tryAgain}
        </button>
      )}
    </p>
  );
}
