/** The number of records that are wanted, and the id that they come after: every page has both. */
export const LIMIT = '$1';
export const BEFORE = '$2';

interface Bounds {
  readonly before?: string;
  /** The least id that is wanted. With none, PostgreSQL reads the index to the end of a page, also for a single record. */
  readonly floor?: string;
  readonly limit?: string;
}

/**
 * An index on (columns..., id), walked down from (value, the id to go on from) of its last column and no further than the value.
 * The row comparison and the order by both say so in a way that only this index can serve.
 */
export class IndexWalk {
  /** `columns` are those before the id, `rest` the conditions that the walk does not serve, both as SQL on the row `r`. */
  constructor(
    private readonly table: string,
    private readonly columns: readonly string[],
    private readonly rest: readonly string[],
  ) {}

  /** Down one lane; `lane` are the values of the columns. */
  down(lane: readonly string[], { before = BEFORE, floor, limit = LIMIT }: Bounds = {}): string {
    const [column, value] = [this.columns.slice(-1), lane.slice(-1)];
    const conditions = [
      ...this.columns.slice(0, -1).map((each, index) => `${each} = ${String(lane[index])}`),
      `${row([...column, 'r.id'])} < ${row([...value, before])}`,
      ...column.map((each) =>
        floor === undefined ? `${each} >= ${String(value)}` : `(${each}, r.id) >= (${String(value)}, ${floor})`,
      ),
      ...this.passed(),
    ];
    return `SELECT r.id FROM ${this.table} r WHERE ${conditions.join(' AND ')} ${newestFirst(column)} LIMIT ${limit}`;
  }

  /**
   * The rest, in a form that no other index can serve, and that the planner takes for something that every second record passes: with
   * a guess for each condition it would soon rather collect a whole lane and sort it. Down the table itself another index has to serve.
   */
  private passed(): readonly string[] {
    return this.rest.length > 0 && this.columns.length > 0
      ? [`coalesce(${this.rest.join(' AND ')}, false)`]
      : this.rest;
  }
}

export function newestFirst(columns: readonly string[]): string {
  return `ORDER BY ${[...columns, 'r.id'].map((column) => `${column} DESC`).join(', ')}`;
}

function row(values: readonly string[]): string {
  return `(${values.join(', ')})`;
}
