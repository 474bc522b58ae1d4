import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../auth/access.js';
import type { Config } from '../config/config.js';
import { eTagsToMatch, type IfMatch } from '../etag/preconditions.js';
import type { FieldError } from '../problem/problem.js';
import type { Resource } from '../records/resource.js';
import type { VersionedRecord } from '../records/versioned-record.js';
import type { BodyUse, FieldsType } from '../validation/rules.js';

export type Params = Record<string, string>;

/** A write as its client sent it: a request, or an item of a bulk. */
export interface SentWrite {
  readonly params: Params;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

/** Whether a record, which exists and is locked, has the part that the path names. */
export type HasPart<T> = (row: T, params: Params) => boolean;

/** Checks that depend on the configuration, in addition to those of the fields. */
type ConfiguredRule = (config: Config, fields: never, current: never) => FieldError[];

/** How the body of a write is read. */
export interface BodyRule {
  readonly type: FieldsType<object>;
  /** An `Order` is complete and independent of the values that the record has. */
  readonly use: BodyUse | 'Order';
  /** Names the part of the record that the body replaces. */
  readonly partNamed?: (row: never, params: Params) => string | undefined;
  readonly configured?: ConfiguredRule | undefined;
}

interface CommonRule {
  readonly scope?: Scope;
  readonly body?: BodyRule;
}

/** Changes or deletes a record if it has a version that If-Match names. */
export interface ConditionalRule extends CommonRule {
  readonly resource: Resource;
  readonly ifMatch: IfMatch;
  readonly deletes?: true;
  readonly hasPart?: HasPart<never>;
}

/** Creates a record. The parent that the path names cannot be deleted until the transaction ends. */
export interface CreationRule extends CommonRule {
  readonly creates: true;
  readonly parent?: Resource | undefined;
}

/** Everything that routes, bulks, imports and the OpenAPI document need to know about a write. */
export type WriteRule = ConditionalRule | CreationRule;

interface Writable<T extends VersionedRecord> {
  readonly resource: Resource<T>;
  readonly scope: Scope;
  readonly parent?: Resource;
  readonly fields: FieldsType<object>;
  /** The fields of a new record, where it has others. */
  readonly newFields?: FieldsType<object>;
  readonly configured?: ConfiguredRule;
}

/** The four writes of a resource: POST, PATCH, PUT and DELETE. */
export function writesOf<T extends VersionedRecord>(writable: Writable<T>) {
  const { resource, scope, parent, fields, newFields = fields, configured } = writable;
  const changes = { resource, scope, ifMatch: 'required' } as const;
  return {
    create: { creates: true, scope, parent, body: { type: newFields, use: 'New', configured } },
    update: { ...changes, body: { type: fields, use: 'Patch', configured } },
    replace: { ...changes, body: { type: fields, use: 'Replacement', configured } },
    remove: { resource, scope, ifMatch: 'optional', deletes: true },
  } as const satisfies Record<string, WriteRule>;
}

const WRITE_RULE = 'waybill:write-rule';

/** Attaches a rule to a route. `@Writes` does this and opens the transaction, too. */
export function setWriteRule(rule: WriteRule): MethodDecorator {
  return (_target, _name, { value }) => Reflect.defineMetadata(WRITE_RULE, rule, value as object);
}

/** The rule of a route; undefined for a route that only reads. */
export function writeRuleOf(handler: object): WriteRule | undefined {
  return Reflect.getMetadata(WRITE_RULE, handler) as WriteRule | undefined;
}

/** The one version that If-Match names, as a key for `PastVersions`: an eTag alone may belong to several records. */
export function namedVersion(rule: WriteRule, { headers, params }: SentWrite): string | undefined {
  if ('creates' in rule) return undefined;
  const { resource } = rule;
  const [eTag, ...others] = eTagsToMatch(headers) ?? [];
  if (eTag === undefined || others.length > 0) return undefined;
  return `${resource.name} ${params[resource.parameter] ?? ''} ${eTag}`;
}
