import { t } from '../texts/texts.js';

interface DiscardButtonProps {
  readonly editing: {
    readonly isSaving: boolean;
    /** Whether there is a discarded draft, and no other. */
    readonly isDiscarded: boolean;
    readonly discard: () => void;
    readonly bringBack: () => void;
  };
  readonly isEmpty: boolean;
}

/** Discards the draft of a form. Until the tab is closed, the same button brings it back. */
export function DiscardButton({ editing: { isSaving, isDiscarded, discard, bringBack }, isEmpty }: DiscardButtonProps) {
  return (
    <button type="button" disabled={isSaving || (isEmpty && !isDiscarded)} onClick={isDiscarded ? bringBack : discard}>
      {isDiscarded ? t.edit.bringBack : t.actions.discard}
    </button>
  );
}
