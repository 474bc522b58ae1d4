import type { ImportRow } from '@waybill/client';
import { Link } from 'wouter';
import { authorOf } from '../author.js';
import { sentenceOfError } from '../model/field-errors.js';
import { labelOf, labelOfColumn } from '../model/fields.js';
import { formatValue } from '../model/format.js';
import { Ago } from '../components/Moment.js';
import { isConflict, isInTheWay } from './import-queries.js';
import { SettleRow } from './SettleRow.js';
import { Badge, type Tone } from '../components/Badge.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import changeList from '../components/changes.module.css';
import table from '../components/Table.module.css';
import text from '../components/text.module.css';
import styles from './imports.module.css';

type RowChange = ImportRow['changes'][number];

const TONES: Readonly<Record<ImportRow['outcome'], Tone>> = {
  create: 'accent',
  change: 'accent',
  created: 'accent',
  changed: 'accent',
  unchanged: 'plain',
  refused: 'warn',
};

/** Whether a conflict of the row was settled. */
function isSettled({ outcome, code }: ImportRow): boolean {
  return outcome === 'changed' && code !== null;
}

function labelOfRow(row: ImportRow): string {
  const { outcome, merged } = row;
  if (isSettled(row)) return t.imports.settled;
  if (merged) return outcome === 'changed' ? t.imports.merged : t.imports.toMerge;
  return isConflict(row) ? t.imports.conflict : t.imports.outcomes[outcome];
}

/** One row of a file: the old and new value of each field, conflicting values of others, and errors. */
export function RowCells({ importID, row }: { readonly importID: string; readonly row: ImportRow }) {
  const { line, outcome, resourceID, shipmentCode, eTag } = row;
  return (
    <>
      <span role="cell" className={styles.line}>
        {line}
      </span>
      <span role="cell" className={styles.outcome}>
        <Badge tone={TONES[outcome]}>{labelOfRow(row)}</Badge>
        {resourceID === null ? null : <RowLink id={resourceID} code={shipmentCode} line={line} />}
        {/* A replica of an older version does not tell the version of a row. */}
        {outcome === 'refused' && isConflict(row) && resourceID !== null && eTag ? (
          <SettleRow importID={importID} row={row} shipmentID={resourceID} eTag={eTag} />
        ) : null}
      </span>
      <span role="cell" className={styles.what}>
        <Changes row={row} />
        <Faults row={row} />
        <Warnings row={row} />
      </span>
    </>
  );
}

interface RowLinkProps {
  readonly id: string;
  /** Unknown if the shipment was deleted, or to a replica of an older version. */
  readonly code: string | undefined;
  readonly line: number;
}

function RowLink({ id, code, line }: RowLinkProps) {
  if (code === undefined) {
    return (
      <Link href={`/shipments/${id}`} aria-label={t.imports.openLine(line)}>
        {t.actions.open}
      </Link>
    );
  }
  return (
    <Link href={`/shipments/${id}`} className={classes(table.link, text.code)}>
      {code}
    </Link>
  );
}

function Changes({ row: { changes, resourceID, outcome } }: { readonly row: ImportRow }) {
  if (changes.length === 0 || outcome === 'unchanged') return null;
  const isNew = resourceID === null || outcome === 'created';
  return (
    <ul className={classes(changeList.changes, styles.changes)}>
      {changes.map((change) => (
        <li key={change.field} className={isInTheWay(change) ? styles.inTheWay : undefined}>
          <span className={changeList.label}>{labelOf(change.field)}</span>{' '}
          {isNew ? null : (
            <>
              <span className={changeList.from}>{shown(change.field, change.from)}</span>{' '}
              <span aria-label={t.facts.arrow}>→</span>{' '}
            </>
          )}
          <span>{shown(change.field, change.to)}</span>
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
    <span className={styles.theirs}>
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
    <ul>
      {left.map(({ column, code, message, cell }) => (
        <li key={`${column ?? ''} ${code}`} className={text.fault}>
          {column === null || message === detail ? null : `${labelOfColumn(column)}: `}
          {cell === undefined ? sentenceOfError(message) : t.imports.isAmbiguous(cell)}
        </li>
      ))}
    </ul>
  );
}

/** Values that are probably wrong, but do not keep the row from being written. */
function Warnings({ row: { warnings } }: { readonly row: ImportRow }) {
  if (warnings.length === 0) return null;
  return (
    <ul>
      {warnings.map(({ column, code, message }) => (
        <li key={column} className={styles.warning}>
          {labelOfColumn(column)}: {code === 'SHORT_POSTAL_CODE' ? t.imports.shortPostalCode : sentenceOfError(message)}
        </li>
      ))}
    </ul>
  );
}

function shown(field: string, value: unknown): string {
  const isValue = value === null || typeof value === 'string' || typeof value === 'number';
  return formatValue(field, isValue ? value : JSON.stringify(value));
}
