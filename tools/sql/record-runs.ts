import type { EntityMetadata } from 'typeorm';
import type { Statement } from '../../src/database/statement.js';
import { MOVES } from '../../src/model/move.entity.js';
import { SHIPMENTS } from '../../src/model/shipment.entity.js';
import type { ListRequest } from '../../src/records/list-sql.js';
import { fieldOf, NEWEST_FIRST } from '../../src/records/paging.js';
import { COMMON } from '../../src/records/record-columns.js';
import type { RecordSql } from '../../src/records/record-sql.js';
import type { Relation, Resource } from '../../src/records/resource.js';

/** A request, and a statement that it runs. */
export type Run = readonly [request: string, statement: Statement];

const FIRST_PAGE = { limit: 50, sort: NEWEST_FIRST };

/** The statements of one kind of record, for requests that the API document has. Of those that depend on the requested fields or filters, the simplest. */
export function runsOf(
  resource: Resource,
  metadata: EntityMetadata,
  relations: readonly Relation[],
  sql: RecordSql,
  isDocumented: (request: string) => boolean,
): readonly Run[] {
  const record = `${resource.path}/{id}`;
  const key = resource.alternateKey?.property;
  const expansions = relations.filter(({ of }) => of === resource).map(({ name }) => name);
  const fields = metadata.columns.map(({ propertyPath }) => propertyPath).filter((path) => !COMMON.includes(path));
  const changed = fields.slice(-1);
  const isParent = relations.some(({ of, list }) => list !== undefined && of === resource);
  const lists = listsOf(resource, relations).filter(([request]) => isDocumented(request));
  return [
    [`GET ${record}`, sql.find('id', [])],
    ...(key === undefined ? [] : [[`GET ${resource.path}/{${key}}`, sql.find(key, [])] as const]),
    ...expansions.map((name) => [`GET ${record}?expand=${name}`, sql.find('id', [name])] as const),
    ...(isDocumented(`${record}?version={eTag}`) ? [[`GET ${record}?version={eTag}`, sql.version()] as const] : []),
    ...lists.map(([request, list]) => [`GET ${request}`, sql.page(list).statement] as const),
    ...lists
      .filter(([, { sort, range, after }]) => sort === NEWEST_FIRST && range === undefined && after === undefined)
      .map(([request, list]) => [withParameter(request, 'count=true'), list] as const)
      .filter(([request]) => isDocumented(request))
      .map(([request, list]) => [`GET ${request}`, sql.count(list).statement] as const),
    ['a record is created', sql.insert(['id', ...fields])],
    [`a write with If-Match: the lock, if the version is this one`, sql.lockVersion('id')],
    [`a write with If-Match: *`, sql.lock('id')],
    [`a write with If-Match that does not match, to explain the 412`, sql.current('id')],
    [`PATCH or PUT of ${changed.join()}`, sql.update(changed, [])],
    ['DELETE', sql.remove()],
    ['a write whose COMMIT was not answered', sql.written('')('', '').statement],
    ...(resource.retention === undefined
      ? []
      : [['a read of a record that the service may have deleted', sql.existed()] as const]),
    ...(key === undefined ? [] : [[`a request that names the record by its ${key}`, sql.idBy(key)] as const]),
    ...(isParent
      ? [['a record that belongs to it is created or restored', sql.idBy('id', 'FOR KEY SHARE')] as const]
      : []),
    ...(resource.undelete === undefined ? [] : [['a list of deletions, for the last values', sql.kept()] as const]),
    ...(resource === MOVES
      ? ([
          ['a bulk request or an import that creates shipments: the locks', sql.lockParents()],
          ['an import is examined: the moves of new shipments', sql.namesAmong()],
        ] as const)
      : []),
    ...(resource === SHIPMENTS
      ? ([
          ['a bulk request or an import that names shipments by their code', sql.namesAmong()],
          ['an import is examined: the current versions', sql.currentAll()],
          ['an import is examined: the versions of the file', sql.versions()],
          ['a bulk request or an import: the locks', sql.lockAll()],
          [
            `a bulk request or an import that changes ${changed.join()} of several records`,
            sql.updateMany(changed, []),
          ],
        ] as const)
      : []),
  ];
}

/** The lists by each sort order and indexed filter, their next pages, polling and search. */
function listsOf(resource: Resource, relations: readonly Relation[]): (readonly [string, ListRequest])[] {
  const { selectiveFilter, sortIndexes, search } = resource;
  const listed = relations.find(({ to, list }) => to === resource && list !== undefined)?.list;
  const path = listed?.includes('?') === false ? listed : resource.path;
  const within = path === resource.path || selectiveFilter === undefined ? {} : { [selectiveFilter]: '' };
  const list = (query: string, request: Partial<ListRequest>) => {
    const filters = { ...within, ...request.filters };
    return [withParameter(path, query), { ...FIRST_PAGE, ...request, filters }] as const;
  };
  const filters = [selectiveFilter, ...Object.keys(sortIndexes['createdAt'] ?? {})].filter(
    (name) => name !== undefined,
  );
  const severalOf = Object.values(sortIndexes).flatMap((served) => Object.keys(served).filter((name) => served[name]));
  const sorts = Object.keys(sortIndexes).flatMap((field) => [field, `-${field}`]);
  const ranges = Object.keys(sortIndexes).filter((field) => field !== 'createdAt' && field !== 'updatedAt');
  return [
    list('', {}),
    list('cursor={cursor}', { after: [''] }),
    ...sorts.filter((sort) => sort !== NEWEST_FIRST).map((sort) => list(`sort=${sort}`, { sort })),
    ...sorts
      .filter((sort) => fieldOf(sort) !== 'createdAt')
      .map((sort) => list(`sort=${sort}&cursor={cursor}`, { sort, after: ['', ''] })),
    ...filters.filter((name) => !(name in within)).map((name) => list(`${name}={value}`, { filters: { [name]: '' } })),
    ...[...new Set(severalOf)].map((name) => list(`${name}={value},{other}`, { filters: { [name]: ['', ''] } })),
    ...ranges.map((field) =>
      list(`${field}From={day}&${field}To={day}`, { sort: field, range: { field, from: '', to: '' } }),
    ),
    ...('updatedAt' in sortIndexes
      ? [list('sort=updatedAt&updatedSince={time}', { sort: 'updatedAt', range: { field: 'updatedAt', from: '' } })]
      : []),
    ...(search === undefined ? [] : [list('q={words}', { search: '' })]),
  ];
}

function withParameter(request: string, parameter: string): string {
  if (parameter === '') return request;
  return `${request}${request.includes('?') ? '&' : '?'}${parameter}`;
}
