import { ArrowDown, ArrowUp } from 'lucide-react';
import { classes } from '../components/classes.js';
import controls from '../components/controls.module.css';
import styles from './ShipmentCells.module.css';

interface SortHeaderProps {
  /** Names the class of its cells. */
  readonly name: string;
  readonly title: string;
  /** The field to sort by, if the service can. */
  readonly field: string | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The head of a column. A click sorts by it, a second one turns the order round. */
export function SortHeader({ name, title, field, sort, onSort }: SortHeaderProps) {
  const className = styles[name];
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
      <button
        type="button"
        className={classes(controls.quiet, styles.sort)}
        onClick={() => onSort(order === 'ascending' ? `-${field}` : field)}
      >
        {title}
        {order === 'ascending' ? <ArrowUp /> : null}
        {order === 'descending' ? <ArrowDown /> : null}
      </button>
    </span>
  );
}
