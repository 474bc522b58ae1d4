interface SortHeaderProps {
  readonly title: string;
  /** The field to sort by, if the service can. */
  readonly field: string | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The head of a column. A click sorts by it, a second one turns the order round. */
export function SortHeader({ title, field, sort, onSort }: SortHeaderProps) {
  const className = `cell-${title.toLowerCase()}`;
  if (field === undefined) {
    return (
      <span role="columnheader" className={className}>
        {title}
      </span>
    );
  }
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined;
  return (
    <span role="columnheader" className={className} aria-sort={order}>
      <button type="button" className="quiet sort" onClick={() => onSort(order === 'ascending' ? `-${field}` : field)}>
        {title}
        <span aria-hidden="true">{order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : ''}</span>
      </button>
    </span>
  );
}
