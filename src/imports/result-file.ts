import { Injectable } from '@nestjs/common';
import { cellOf, guardedCell, textCell } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import { csvLines } from '../files/csv.js';
import type { ImportRow } from './import-row.js';
import { ImportRows } from './import-rows.js';
import type { Header } from './reading/file-row.js';
import { COLUMNS, isOfResult, RESULT_COLUMNS, THEIRS } from './reading/header.js';
import { writes } from './row-values.js';
import { columnAt, conflictsIn, faultsOf } from './dto/import-row.dto.js';

const PAGE = 100;

/** The columns of a result file: those of the uploaded file, and those for the faults of its rows. */
interface Layout {
  readonly delimiter: Header['delimiter'];
  readonly names: readonly string[];
  readonly columns: readonly (Column | undefined)[];
  /** The columns that others have changed. */
  readonly theirs: readonly Column[];
}

/**
 * The refused rows of an import as CSV, to be corrected and uploaded again. Changed cells are as they were sent, with formulas guarded. All
 * other cells and the eTag are those of the shipment when the row was refused, so that a new upload does not revert changes by others.
 */
@Injectable()
export class ResultFile {
  constructor(private readonly rows: ImportRows) {}

  /** The lines of the file, in batches. */
  async *lines(importID: string): AsyncGenerator<string, void, undefined> {
    const layout = await this.layoutOf(importID);
    const { delimiter, names, theirs } = layout;
    yield csvLines([[...names, ...RESULT_COLUMNS, ...theirs.map(({ path }) => THEIRS + path)]], delimiter);
    for await (const rows of this.refused(importID)) {
      yield csvLines(
        rows.map((row) => cellsOf(row, layout)),
        delimiter,
      );
    }
  }

  private async *refused(importID: string): AsyncGenerator<readonly ImportRow[], void, undefined> {
    for (let after = 0; ;) {
      const rows = await this.rows.after(importID, { after, outcomes: ['refused'], limit: PAGE });
      // An erased row has nothing left to correct.
      if (rows.length > 0) yield rows.filter(({ erased }) => !erased);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.line ?? 0;
    }
  }

  /** A JSON lines file has no header, so its result has all columns. */
  private async layoutOf(importID: string): Promise<Layout> {
    const header = await this.rows.header(importID);
    const paths = new Set<string | null>();
    for await (const rows of this.refused(importID)) {
      const conflicts = rows.flatMap(({ problem }) => (problem === null ? [] : conflictsIn(problem)));
      for (const { field } of conflicts) paths.add(columnAt(`/${field}`));
    }
    const names = header?.names ?? COLUMNS.map(({ path }) => path);
    return {
      delimiter: header?.delimiter ?? ',',
      names: names.filter((name) => !isOfResult(name)),
      columns: names.map((name) => COLUMNS.find(({ path }) => path === name)),
      theirs: COLUMNS.filter(({ path }) => paths.has(path)),
    };
  }
}

function cellsOf(row: ImportRow, { columns, theirs }: Layout): string[] {
  const { problem, current } = row;
  const conflicts = problem === null ? [] : conflictsIn(problem);
  const mine = columns.flatMap((column, index) => (column === undefined ? [] : [cellAt(row, column, index)]));
  const error = problem === null ? '' : errorOf(problem);
  const changedBy = [...new Set(conflicts.flatMap(({ changedBy: who }) => who ?? []))].join(', ');
  const changedAt =
    conflicts
      .flatMap(({ changedAt: when }) => when ?? [])
      .sort()
      .at(-1) ?? '';
  const others = theirs.map((column) => {
    const isTheirs = conflicts.some(({ field }) => columnAt(`/${field}`) === column.path);
    return isTheirs && current !== null ? cellOf(current, column) : '';
  });
  const texts = [error, changedBy].map((text) => (text === '' ? '' : textCell(text)));
  return [...mine, ...texts, changedAt, ...others];
}

/**
 * The cell of a refused row: the sent value if the row changes it, otherwise the current one. If the row's version is unknown, so are its
 * changes: the row is returned as sent, without a newer eTag, which would revert changes by others.
 */
function cellAt({ sent, body, base, current }: ImportRow, column: Column, index: number): string {
  const own = Array.isArray(sent) ? guardedCell(String(sent[index] ?? '')) : cellOf(sent ?? {}, column);
  if (body === null || base === null || current === null || writes(body, column.names)) return own;
  return cellOf(current, column);
}

function errorOf(problem: NonNullable<ImportRow['problem']>): string {
  return faultsOf(problem)
    .map(({ column, code, message }) =>
      column === null || message === problem.detail ? message : `${column} ${message} (${code})`,
    )
    .join('; ');
}
