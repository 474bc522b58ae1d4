import { eTagOf } from '../etag/entity-tags.js';
import type { PlainRow } from '../database/statement.js';
import { isoOf } from './moments.js';
import type { RecordColumn, RecordColumns } from './record-columns.js';
import type { RenderedRow } from './rendered-record.js';

/** Renders a row as JSON for clients. `more` has further members for its end, each after a comma. */
export type Renderer = (row: PlainRow, more?: string) => RenderedRow;

/** PostgreSQL and JSON.stringify escape the same characters. Most texts have none, and looking for them is faster. */
const ESCAPED = /[^ !#-[\]-\uffff]/;

/** The value as JSON, in which undefined is null. */
export function jsonOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'string' && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value);
}

const JSON_OF: Readonly<Record<RecordColumn['form'], (value: string | null) => string>> = {
  id: (value) => (value === null ? 'null' : `"${value}"`),
  text: jsonOf,
  moment: (value) => (value === null ? 'null' : `"${isoOf(value)}"`),
  json: (value) => value ?? 'null',
};

type Member = readonly [name: string, value: string];

/**
 * Compiles one expression that concatenates the JSON of a record, which takes two thirds of the time of a loop over its columns. The source
 * has only names and places of columns.
 */
export function compileRenderer({ id, own, parts, createdAt, updatedAt, live }: RecordColumns): Renderer {
  const members = (columns: readonly RecordColumn[]) =>
    columns.map(({ name, form, place }): Member => [name, `${form}(row[${place}])`]);
  const eTag: Member = ['eTag', 'id(eTag)'];
  const record: Member[] = [
    ...members([id, ...own]),
    ...parts.map((part): Member => {
      const object = objectOf([...members(part.columns), eTag]);
      return [part.name, `(row[${part.id.place}] === null ? 'null' : ${object} + '}')`];
    }),
    ...members([createdAt]),
    ['updatedAt', 'id(updatedAt)'],
    eTag,
    ...members(live),
  ];
  const source = `
    return (row, more = '') => {
      const updatedAt = isoOf(row[${updatedAt.place}]);
      const eTag = eTagOf(updatedAt);
      return { id: row[${id.place}], eTag, json: ${objectOf(record)} + more + '}' };
    };`;
  const scope = { ...JSON_OF, isoOf, eTagOf };
  const compiled = new Function(...Object.keys(scope), source) as (...values: unknown[]) => Renderer;
  return compiled(...Object.values(scope));
}

/** An expression for the text of an object without its closing brace. */
function objectOf(members: readonly Member[]): string {
  const texts = members.map(([name, value], index) => `'${index === 0 ? '{' : ','}"${name}":' + ${value}`);
  return texts.join(' + ');
}
