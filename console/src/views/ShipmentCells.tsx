import { Link } from 'wouter';
import { placesOf } from '../model/places.js';
import { isOverdue, routeOf } from '../model/status.js';
import { Ago, Day } from '../components/Moment.js';
import { StatusMark } from '../components/StatusMark.js';
import type { Row } from '../model/rows.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import table from '../components/Table.module.css';
import text from '../components/text.module.css';
import styles from './ShipmentCells.module.css';

interface ShipmentCellsProps {
  readonly row: Row;
  readonly searched?: string | undefined;
}

export function ShipmentCells({ row, searched }: ShipmentCellsProps) {
  const places = searched === undefined ? [] : placesOf(row, searched);
  return (
    <>
      <span role="cell" className={styles.code}>
        <Link className={classes(table.link, text.code)} href={`/shipments/${row.id}`}>
          {row.shipmentCode}
        </Link>
      </span>
      <span role="cell" className={styles.type}>
        <bdi>{row.shipmentType}</bdi>
        {places.length === 0 ? null : <small className={styles.foundIn}>{places.join(', ')}</small>}
      </span>
      <span role="cell" className={styles.status}>
        {row.isDeleted === true ? t.list.deleted : <StatusMark status={row.status} />}
      </span>
      <span role="cell" className={styles.route} dir="auto">
        {routeOf(row) ?? <span className={text.none}>–</span>}
      </span>
      <span role="cell" className={styles.pickup}>
        <Day day={row.pickupDate} />
      </span>
      <span role="cell" className={classes(styles.delivery, isOverdue(row) && text.overdue)}>
        <Day day={row.deliveryDate} />
        {isOverdue(row) ? <span className={text.unseen}>{t.list.overdue}</span> : null}
      </span>
      <span role="cell" className={styles.changed}>
        <Ago at={row.updatedAt} />
      </span>
    </>
  );
}
