import { explain } from './faults.js';

interface FaultProps {
  readonly error: unknown;
  /** Offers to try again. */
  readonly onRetry?: () => void;
}

/** Shows an error, also to screen readers. Renders nothing without one. */
export function Fault({ error, onRetry }: FaultProps) {
  if (error === undefined || error === null) return null;
  return (
    <p className="fault" role="alert">
      {explain(error)}
      {onRetry === undefined ? null : (
        <button type="button" className="quiet" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  );
}
