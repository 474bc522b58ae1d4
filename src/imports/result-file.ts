import { Injectable } from '@nestjs/common';
import { cellOf, guardedCell } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import { csvLines } from '../files/csv.js';
import type { ImportRow } from './import-row.js';
import { ImportRows } from './import-rows.js';
import type { Header } from './reading/file-row.js';
import { COLUMNS, isOfResult, RESULT_COLUMNS, THEIRS } from './reading/header.js';
import { writes } from './row-values.js';
import { columnAt, conflictsIn, faultsOf } from './dto/import-row.dto.js';

const PAGE = 100;

/** The columns of a result file: those of the file that was sent, and those that say what became of its rows. */
interface Layout {
  readonly delimiter: Header['delimiter'];
  readonly names: readonly string[];
  readonly columns: readonly (Column | undefined)[];
  /** The columns in which others have changed something. */
  readonly theirs: readonly Column[];
}

/**
 * The refused rows of an import as CSV, to be corrected and uploaded again. What the row changes stands there as it was sent, with formulas guarded. All other
 * cells, and the eTag, are those of the shipment as it was when the row was refused: so what others changed since is not changed back.
 */
@Injectable()
export class ResultFile {
  constructor(private readonly rows: ImportRows) {}

  /** The lines of the file, a few at a time. */
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
      // Nothing is left of an erased row that could be corrected.
      if (rows.length > 0) yield rows.filter(({ erased }) => !erased);
      if (rows.length < PAGE) return;
      after = rows.at(-1)?.line ?? 0;
    }
  }

  /** A file of JSON lines has no header: its result has all columns. */
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
  return [...mine, textCell(error), textCell(changedBy), changedAt, ...others];
}

/**
 * Of a row that changes a shipment, only what it changes is its own. What it changes is not known without the version that it names: such a
 * row comes back whole, and without another eTag, under which it would change back what others did.
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

const TEXT: Column = { path: 'text', names: ['text'], kind: 'text', use: 'ignored' };

function textCell(text: string): string {
  return text === '' ? '' : cellOf({ text }, TEXT);
}
