import 'reflect-metadata';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../src/config/command-line.js';
import { namedStatements, type Statement } from '../../src/database/statement.js';
import { openingOf } from '../../src/database/transaction.js';
import { deletionsPage } from '../../src/deletions/deletions-sql.js';
import { deliveriesBefore } from '../../src/deliveries/deliveries-sql.js';
import { deletedSql } from '../../src/records/deleted-records.js';
import '../../src/moves/any-move.js';
import '../../src/open-database.js';
import { ApiDocument } from '../../src/openapi/api-document.js';
import { RELATIONS_OF_SHIPMENTS } from '../../src/model/relations.js';
import { ALL_RESOURCES } from '../../src/model/resources.js';
import { recordSqls, type RecordSql } from '../../src/records/record-sql.js';
import { searchStatements } from '../../src/search/search-sql.js';
import { NEWEST_FIRST } from '../../src/records/paging.js';
import { schemaState } from '../../src/database/service-rights.js';
import { collectionName, ownTables, type Resource } from '../../src/records/resource.js';
import { offlineApp } from '../offline-app.js';
import { runsOf } from './record-runs.js';

const USAGE = `Writes down the SQL of the service, without a database: a file for each area.

  node dist/tools/sql/main.js [FOLDER]

  FOLDER  output folder (docs/sql)`;

/** The areas of other statements, by the beginning of the names of their statements. The last one has the rest. */
const AREAS: Readonly<Record<string, RegExp>> = {
  moves: /^moves_/,
  shipments: /^shipments_/,
  keys: /^key_/,
  webhooks: /^webhook_/,
  imports: /^imports?_/,
  deletions: /^(deleted_|deletions_|lock_deletions|undelete)/,
  history: /^history_/,
  events: /^(events|search)_/,
  overview: /^overview/,
  idempotency: /^idempotency_/,
  service: /^/,
};

const WIDTH = 140;

const HEADER = `-- Written by npm run sql. Statements are named as in spans and in pg_prepared_statements. EXPLAIN (GENERIC_PLAN) takes them as they are.

`;

interface Written {
  readonly area: string;
  readonly name: string;
  /** What runs it, or what it is. */
  readonly about: string[];
  readonly text: string;
}

async function main(folder: string): Promise<void> {
  // Some statements contain what only the modules of the application know.
  const { app, dataSource } = await offlineApp();
  const isDocumented = requestsIn(app.get(ApiDocument).document as unknown as Document);
  const sqlOf = recordSqls(ALL_RESOURCES, RELATIONS_OF_SHIPMENTS, dataSource, searchStatements, '');

  const written = new Map<string, Written>();
  for (const resource of ALL_RESOURCES) {
    const metadata = dataSource.getMetadata(resource.entity);
    const runs = runsOf(resource, metadata, RELATIONS_OF_SHIPMENTS, sqlOf(resource), isDocumented);
    for (const [request, { name = '', text }] of runs) {
      const about = written.get(name)?.about ?? [];
      about.push(request);
      written.set(name, { area: collectionName(resource), name, about, text });
    }
  }
  const built = builtStatements(sqlOf);
  const comments = commentsIn('src');
  for (const { name = '', text } of [...namedStatements(), ...built.map(([statement]) => statement)]) {
    const area = Object.keys(AREAS).find((each) => AREAS[each]?.test(name)) ?? '';
    const about = built.find(([statement]) => statement.name === name)?.[1] ?? comments.get(name);
    written.set(name, { area, name, about: about === undefined ? [] : [about].flat(), text });
  }

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const all = [...written.values()];
  for (const area of new Set(all.map((each) => each.area))) {
    const statements = all.filter((each) => each.area === area);
    writeFileSync(join(folder, `${area}.sql`), HEADER + statements.map(asSql).join('\n'));
  }
}

/** Statements that depend on the request, of which there is one for the simplest request, each with what runs it. */
function builtStatements(sqlOf: (resource: Resource) => RecordSql): (readonly [Statement, string])[] {
  const anyDeletion = { resourceID: undefined, moveID: undefined, code: undefined, kinds: undefined };
  const deletions = deletionsPage({ ...anyDeletion, deletedBy: undefined, deletedSince: undefined }, 50, undefined);
  const author = { requestID: '', caller: { subject: '', name: '' } };
  return [
    ...openingOf(author, { prepared: true, keepsDescriptions: true, settings: {} }).map(
      ({ statement }) => [statement, 'the first statements of each transaction'] as const,
    ),
    [deliveriesBefore(), 'GET /v1/webhooks/{id}/deliveries'],
    [
      { name: 'deletions_page', ...deletions.statement },
      'GET /v1/deletions. PostgreSQL does not know its name: it is not prepared.',
    ],
    [
      { name: 'schema_state', text: schemaState(ownTables(ALL_RESOURCES)) },
      'each readiness check. PostgreSQL does not know its name: it is not prepared.',
    ],
    ...ALL_RESOURCES.filter(({ search }) => search !== undefined).map((resource) => {
      const { text } = sqlOf(resource).whole({ sort: NEWEST_FIRST, limit: 1 });
      return [
        { name: `${collectionName(resource)}_file`, text },
        `a file of the list, read by a cursor. PostgreSQL does not know its name: it is not prepared.`,
      ] as const;
    }),
    ...ALL_RESOURCES.filter(({ undelete }) => undelete !== undefined).map(
      (resource) =>
        [deletedSql(resource, sqlOf(resource).table), 'undelete, and requests for a deleted record'] as const,
    ),
  ];
}

interface Parameter {
  readonly name: string;
}

interface Reference {
  readonly $ref: string;
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly (Parameter | Reference)[] } }>
  >;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Whether the API has such a GET, with these query parameters. */
function requestsIn({ paths, components }: Document): (request: string) => boolean {
  return (request) => {
    const [path, query] = request.split('?');
    const [, known] = Object.entries(paths).find(([template]) => template.replace(/\{\w+\}/, '{id}') === path) ?? [];
    if (known?.get === undefined) return false;
    const names = (known.get.parameters ?? []).map((parameter) => {
      if ('name' in parameter) return parameter.name;
      return components.parameters[parameter.$ref.replace(/.*\//, '')]?.name;
    });
    return [...new URLSearchParams(query).keys()].every((name) => names.includes(name));
  };
}

function asSql({ name, about, text }: Written): string {
  const lines = withoutIndent(text).flatMap(wrapped);
  return `-- ${name}\n${about.map((line) => `--   ${line}\n`).join('')}${lines.join('\n')};\n`;
}

/** Breaks a long line after commas that separate columns. */
function wrapped(line: string): readonly string[] {
  const [, indent = ''] = /^( *)/.exec(line) ?? [];
  const parts = line.split(/(?<=,) (?=r\.|m\.|to_json\()|(?<=[^(]) (?=FROM |WHERE |RETURNING |UNION ALL |ORDER BY )/);
  return parts.reduce<string[]>((lines, part) => {
    const last = lines.at(-1);
    if (last === undefined) return [part];
    if (last.length + part.length < WIDTH) return [...lines.slice(0, -1), `${last} ${part}`];
    return [...lines, `${indent}  ${part}`];
  }, []);
}

function withoutIndent(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indents = lines.slice(lines[0]?.startsWith(' ') === true ? 0 : 1).map((line) => line.search(/\S/));
  const least = Math.min(...indents, Infinity);
  return lines.map((line) => (line.startsWith(' ') ? line.slice(least) : line));
}

/** The comments before statements, by name. */
function commentsIn(folder: string): ReadonlyMap<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8');
    return [...source.matchAll(/\/\*\*((?:(?!\*\/)[^])*?)\*\/\n[^\n]*= namedStatement\('(\w+)'/g)];
  });
  return new Map(found.map(([, comment = '', name = '']) => [name, linesOf(comment)]));
}

function linesOf(comment: string): string[] {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  return lines.filter((line) => line !== '');
}

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
await main(positionals[0] ?? join('docs', 'sql'));
process.exit();
