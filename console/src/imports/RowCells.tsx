import type { ImportRow } from '@waybill/client';
import { Link } from 'wouter';
import { authorOf } from '../author.js';
import { labelOf } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { Ago } from '../parts/Moment.js';
import { isConflict, isInTheWay } from './import-queries.js';
import { SettleRow } from './SettleRow.js';

type RowChange = ImportRow['changes'][number];

const LABELS: Readonly<Record<ImportRow['outcome'], string>> = {
  create: 'To create',
  change: 'To change',
  created: 'Created',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};

function labelOfRow(row: ImportRow): string {
  const { outcome, merged } = row;
  if (merged) return outcome === 'changed' ? 'Merged' : 'To merge';
  return isConflict(row) ? 'Conflict' : LABELS[outcome];
}

/** One row of a file: the old and new value of each field, conflicting values of others, and errors. */
export function RowCells({ row }: { readonly row: ImportRow }) {
  const { line, outcome, resourceID, code } = row;
  return (
    <>
      <span role="cell" className="cell-line">
        {line}
      </span>
      <span role="cell" className="cell-outcome">
        <span className={`status outcome-${outcome}`}>{labelOfRow(row)}</span>
        {resourceID === null || code === 'NOT_FOUND' ? null : (
          <Link href={`/shipments/${resourceID}`} aria-label={`Open the shipment of line ${line}`}>
            Open
          </Link>
        )}
        {outcome === 'refused' && isConflict(row) && resourceID !== null ? (
          <SettleRow row={row} shipmentID={resourceID} />
        ) : null}
      </span>
      <span role="cell" className="cell-what">
        <Changes row={row} />
        <Faults row={row} />
      </span>
    </>
  );
}

function Changes({ row: { changes, resourceID, outcome } }: { readonly row: ImportRow }) {
  if (changes.length === 0 || outcome === 'unchanged') return null;
  const isNew = resourceID === null || outcome === 'created';
  return (
    <ul className="changes">
      {changes.map((change) => (
        <li key={change.field} className={isInTheWay(change) ? 'in-the-way' : ''}>
          <span className="label">{labelOf(change.field)}</span>{' '}
          {isNew ? null : (
            <>
              <span className="from">{shown(change.field, change.from)}</span> <span aria-label="to">→</span>{' '}
            </>
          )}
          <span className="to">{shown(change.field, change.to)}</span>
          {isInTheWay(change) ? ' ' : null}
          {isInTheWay(change) ? <Theirs change={change} recordID={resourceID ?? ''} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Theirs({ change, recordID }: { readonly change: RowChange; readonly recordID: string }) {
  const { field, current, changedBy, changedAt } = change;
  return (
    <span className="theirs">
      <strong>{authorOf(recordID, changedBy, changedAt)}</strong>
      {changedAt === undefined ? null : (
        <>
          , <Ago at={changedAt} />
        </>
      )}
      : {shown(field, current)}
    </span>
  );
}

/** Conflicts are shown next to the change, not here. */
function Faults({ row: { faults, detail } }: { readonly row: ImportRow }) {
  const left = faults.filter(({ code }) => code !== 'CONFLICT');
  if (left.length === 0) return null;
  return (
    <ul className="row-faults">
      {left.map(({ column, code, message }) => (
        <li key={`${column ?? ''} ${code}`} className="fault">
          {column === null ? null : <code className="code">{column}</code>}
          {column !== null && message === detail ? ': ' : ' '}
          {message}
        </li>
      ))}
    </ul>
  );
}

function shown(field: string, value: unknown): string {
  const isValue = value === null || typeof value === 'string' || typeof value === 'number';
  return formatValue(field, isValue ? value : JSON.stringify(value));
}
