import type { Column } from '../files/columns.js';
import { fieldProblem, type FieldError } from '../problem/problem.js';
import { isObject } from '../writes/read-fields.js';
import { notationOf, READERS, type ColumnForms } from './column-forms.js';
import { fileFault } from './reading/file-format.js';
import { isSmallNumber, isSpellingOf, type Notation, type Reading } from './reading/notations.js';
import type { Json, ReadRow } from './row-values.js';

/** What a cell that can be read in several ways may mean. */
export interface Ambiguity {
  readonly cell: string;
  readonly readings: readonly Reading[];
}

const AMBIGUOUS = 'AMBIGUOUS';

/** A changed cell that some notation cannot read, with those that can. */
interface Evidence {
  readonly kind: Column['kind'];
  readonly cell: string;
  readonly line: number;
  readonly notations: readonly string[];
}

/** Reads the cells of one file that went through a spreadsheet. */
export class ReformattedCells {
  private readonly evidence: Evidence[] = [];

  constructor(
    private readonly notation: Notation,
    private readonly forms: ColumnForms,
  ) {}

  /**
   * The body of a row, in which spellings of old values are replaced by the old values, and other dates and numbers are written as in the
   * API. Throws a problem if a cell can be read in several ways, and a fault of the file if no notation can read two of its cells.
   */
  read({ line, header, body }: ReadRow, base: Json | undefined): Json {
    const errors: (FieldError & Partial<Ambiguity>)[] = [];
    let result = body;
    for (const column of header?.columns ?? []) {
      const cell = column && valueAt(body, column.names);
      if (column === undefined || typeof cell !== 'string') continue;
      const before = valueAt(base, column.names);
      if (cell === before) continue;
      const readings = READERS[column.kind]?.(cell, this.notation) ?? [];
      if (isScalar(before) && isSpellingOf(before, cell, this.notation)) {
        const others = readings.filter(({ value }) => value !== before && !isFraction(value));
        const same = readings.filter(({ value }) => value === before);
        if (others.length === 0 || same.length === 0 || this.forms.isUnchanged(column, same.map(notationOf))) {
          result = withValue(result, column.names, before);
        } else {
          errors.push(ambiguity(column, cell, [...same.slice(0, 1), ...others]));
        }
        continue;
      }
      this.requireCommonNotation({ kind: column.kind, cell, line, notations: readings.map(notationOf) }, column);
      if (column.kind === 'date' && isSmallNumber(cell)) errors.push(smallNumber(column));
      const meanings = readings.filter(({ value }, at) => readings.findIndex((each) => each.value === value) === at);
      if (meanings.length > 1) errors.push(ambiguity(column, cell, meanings));
      else if (meanings[0] !== undefined) result = withValue(result, column.names, meanings[0].value);
    }
    if (errors.length === 0) return result;
    throw fieldProblem('VALIDATION_FAILED', errors);
  }

  /** Throws if another cell can only be read in other ways. */
  private requireCommonNotation(found: Evidence, { path }: Column): void {
    const { kind, cell, line, notations } = found;
    if (notations.length === 0) return;
    const isOther = (each: Evidence) => each.kind === kind && !each.notations.some((name) => notations.includes(name));
    const other = this.evidence.find(isOther);
    if (other !== undefined) {
      const theirs = `${JSON.stringify(other.cell)} in line ${other.line} only with ${other.notations.join(' or ')}`;
      const fault = `${JSON.stringify(cell)} can only be read with ${notations.join(' or ')}, but ${theirs}`;
      throw fileFault(`${fault}. Write both in the same way`, { line, column: path });
    }
    const isKnown = ({ notations: known }: Evidence) => known.join() === notations.join();
    if (!this.evidence.some(isKnown)) this.evidence.push(found);
  }
}

function ambiguity({ names }: Column, cell: string, readings: readonly Reading[]): FieldError & Ambiguity {
  const ways = readings.map((reading) => `${reading.value} (${notationOf(reading)})`);
  const message = `can be read as ${ways.join(' or ')}`;
  return { pointer: `/${names.join('/')}`, code: AMBIGUOUS, message, cell, readings };
}

function smallNumber({ names }: Column): FieldError {
  const message =
    'is a day of 1899 or 1900, which spreadsheets write for numbers. A day that is meant is written as YYYY-MM-DD';
  return { pointer: `/${names.join('/')}`, code: 'INVALID_DATE', message };
}

/** No field has a fraction. */
function isFraction(value: string | number): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function valueAt(body: Json | undefined, [name = '', inside]: readonly string[]): unknown {
  const value = body?.[name];
  if (inside === undefined) return value;
  return isObject(value) ? value[inside] : undefined;
}

function withValue(body: Json, [name = '', inside]: readonly string[], value: unknown): Json {
  if (inside === undefined) return { ...body, [name]: value };
  return { ...body, [name]: { ...(body[name] as Json), [inside]: value } };
}
