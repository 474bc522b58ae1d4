import { Link } from 'wouter';
import { placesOf } from '../model/places.js';
import { isOverdue, routeOf } from '../model/status.js';
import { Ago, Day } from '../parts/Moment.js';
import { StatusMark } from '../parts/StatusMark.js';
import type { Row } from '../queries.js';

interface ShipmentCellsProps {
  readonly row: Row;
  readonly searched?: string | undefined;
}

export function ShipmentCells({ row, searched }: ShipmentCellsProps) {
  const places = searched === undefined ? [] : placesOf(row, searched);
  return (
    <>
      <span role="cell" className="cell-type">
        <Link className="row-link" dir="auto" href={`/shipments/${row.id}`}>
          {row.shipmentType}
        </Link>
        {places.length === 0 ? null : <small className="found-in">{places.join(', ')}</small>}
      </span>
      <span role="cell" className="cell-code code">
        {row.move === undefined ? row.shipmentCode : <Link href={`/moves/${row.move.id}`}>{row.shipmentCode}</Link>}
      </span>
      <span role="cell" className="cell-status">
        {row.isDeleted === true ? 'Deleted' : <StatusMark status={row.status} />}
      </span>
      <span role="cell" className="cell-route" dir="auto">
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
