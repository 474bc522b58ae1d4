import { Link } from 'wouter';
import { isOverdue, routeOf } from '../model/status.js';
import { Ago, Day } from '../parts/Moment.js';
import { StatusMark } from '../parts/StatusMark.js';
import type { Row } from '../queries.js';

export function ShipmentCells({ row }: { readonly row: Row }) {
  return (
    <>
      <span role="cell" className="cell-type">
        <Link className="row-link" href={`/shipments/${row.id}`}>
          {row.shipmentType}
        </Link>
      </span>
      <span role="cell" className="cell-move code">
        {row.move === undefined ? null : <Link href={`/moves/${row.move.id}`}>{row.move.moveCode}</Link>}
      </span>
      <span role="cell" className="cell-status">
        {row.isDeleted === true ? 'Deleted' : <StatusMark status={row.status} />}
      </span>
      <span role="cell" className="cell-route">
        {routeOf(row) ?? <span className="none">–</span>}
      </span>
      <span role="cell" className="cell-pickup">
        <Day day={row.pickupDate} />
      </span>
      <span role="cell" className={`cell-delivery${isOverdue(row) ? ' overdue' : ''}`}>
        <Day day={row.deliveryDate} />
        {isOverdue(row) ? <span className="unseen"> overdue</span> : null}
      </span>
      <span role="cell" className="cell-changed">
        <Ago at={row.updatedAt} />
      </span>
    </>
  );
}
