interface DecidedProps {
  readonly decided: number;
  readonly of: number;
  readonly onAll: (side: 'mine' | 'theirs') => void;
}

/** How many of the collisions are decided, and buttons that decide all of them at once. */
export function Decided({ decided, of: all, onAll }: DecidedProps) {
  return (
    <div className="decided">
      <span role="status">
        {decided} of {all} decided
      </span>
      <span className="actions">
        <button type="button" onClick={() => onAll('theirs')}>
          All theirs
        </button>
        <button type="button" onClick={() => onAll('mine')}>
          All mine
        </button>
      </span>
    </div>
  );
}
