import type { PlainRow } from '../database/statement.js';
import { cursorOf, NEWEST_FIRST } from './paging.js';
import type { RecordColumns } from './record-columns.js';
import type { RenderedRow } from './rendered-record.js';
import { nextName, type Relation } from './resource.js';

/** Maximum number of expanded children per record, and per page of a list. */
export const MAX_EXPANDED = 200;
export const MAX_EXPANDED_IN_LIST = 2000;

/** The SQL of the related records. */
interface RelatedRecords {
  readonly table: string;
  readonly columns: RecordColumns;
  render(row: PlainRow): RenderedRow;
}

/** The members that `expand` adds to a record. They are read in the statement of the record, as JSON arrays of column texts. */
export class Expansion {
  constructor(
    private readonly relation: Relation,
    private readonly related: RelatedRecords,
    private readonly foreignKey: string,
    /** Precedes the paths of lists. */
    private readonly baseUrl: string,
  ) {}

  /** Selects the record that the row `alias` refers to, or its newest children and one more if `limit` of the list leaves out some. */
  of(alias: string, limit: number): string {
    const { relation, related, foreignKey } = this;
    const columns = `ARRAY[${related.columns
      .of('m')
      .map((column) => `${column}::text`)
      .join(', ')}]`;
    const select = `SELECT ${columns} FROM ${related.table} m WHERE`;
    if (relation.list === undefined) return `to_json((${select} m.id = ${alias}.${foreignKey}))`;
    const rest = `ORDER BY m.id DESC LIMIT ${maxOf(limit) + 1}`;
    return `to_json(ARRAY(${select} m.${foreignKey} = ${alias}.id ${rest}))`;
  }

  /** The members, each after a comma, from what `of` selected. */
  members(selected: string, parentID: string, limit: number): string {
    const { relation, related } = this;
    const found = JSON.parse(selected) as unknown;
    if (relation.list === undefined) {
      return `,"${relation.name}":${found === null ? 'null' : related.render(found as PlainRow).json}`;
    }
    const max = maxOf(limit);
    const children = found as readonly PlainRow[];
    const shown = children.slice(0, max).map((child) => related.render(child));
    const next = children.length > max ? this.urlAfter(parentID, shown.at(-1)?.id ?? '') : null;
    const items = shown.map(({ json }) => json).join(', ');
    return `,"${relation.name}":[${items}],"${nextName(relation)}":${JSON.stringify(next)}`;
  }

  private urlAfter(parentID: string, childID: string): string {
    const path = this.relation.list?.replace('{id}', parentID) ?? '';
    const separator = path.includes('?') ? '&' : '?';
    return `${this.baseUrl}${path}${separator}limit=${MAX_EXPANDED}&cursor=${cursorOf(`${NEWEST_FIRST} ${childID}`)}`;
  }
}

function maxOf(limit: number): number {
  return Math.min(MAX_EXPANDED, Math.floor(MAX_EXPANDED_IN_LIST / limit));
}
