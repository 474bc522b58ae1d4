import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../auth/access.js';
import type { Config } from '../config/config.js';
import { eTagsToMatch, type IfMatch } from '../etag/preconditions.js';
import type { FieldError } from '../problem/problem.js';
import type { Resource } from '../records/resource.js';
import type { BodyUse, FieldsType } from '../validation/rules.js';

export type Params = Record<string, string>;

/** A write as sent: a request, or an item of a bulk. */
export interface SentWrite {
  readonly params: Params;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

/** Additional checks that depend on the configuration. */
type ConfiguredRule = (config: Config, fields: never, current: never) => FieldError[];

export interface BodyRule {
  readonly type: FieldsType<object>;
  /** An `Order` is complete and independent of the record's values. */
  readonly use: BodyUse | 'Command';
  /** The name of the part that the body replaces; null if the locked record does not have the part in the path. */
  readonly partNamed?: (row: never, params: Params) => string | null;
  readonly configured?: ConfiguredRule | undefined;
}

/** Required scopes: each of the list, and any of an inner list. */
export type RequiredScopes = readonly (Scope | readonly Scope[])[];

/** The scopes that a write requires beyond `scope`, by the stored record (for a creation, its parent if any) and the body as sent. */
type ScopesFor = (row: never, body: unknown) => RequiredScopes;

interface CommonRule {
  readonly scope?: Scope;
  readonly scopesFor?: ScopesFor | undefined;
  readonly body?: BodyRule;
}

/** Changes or deletes a record if its version matches If-Match. */
interface ConditionalRule extends CommonRule {
  readonly resource: Resource;
  readonly ifMatch: IfMatch;
  readonly deletes?: true;
}

/** Restores a deleted record if If-Match names its deletion. */
interface RestorationRule extends CommonRule {
  readonly restores: true;
  readonly resource: Resource;
  readonly ifMatch: 'required';
}

/** Creates a record. The parent in the path cannot be deleted until the transaction ends. */
interface CreationRule extends CommonRule {
  readonly creates: true;
  readonly parent?: Resource | undefined;
}

/** The properties of a write that routes, bulks, imports and the OpenAPI document use. */
export type WriteRule = ConditionalRule | RestorationRule | CreationRule;

interface Writable {
  readonly resource: Resource;
  readonly scope: Scope;
  readonly parent?: Resource;
  readonly fields: FieldsType<object>;
  /** The fields of a new record, if they differ. */
  readonly newFields?: FieldsType<object>;
  readonly configured?: ConfiguredRule;
  /** As in the rule; `use` is undefined for a deletion. */
  readonly scopesFor?: (row: never, body: unknown, use?: BodyUse) => RequiredScopes;
}

/** The writes of a resource: POST, PATCH, PUT, DELETE, and the restoration of what was deleted. */
export function writesOf({ resource, scope, parent, fields, newFields = fields, configured, scopesFor }: Writable) {
  const changes = { resource, scope, ifMatch: 'required' } as const;
  const scopes = (use?: BodyUse) => ({
    scopesFor: scopesFor && ((row: never, body: unknown) => scopesFor(row, body, use)),
  });
  return {
    create: { creates: true, scope, ...scopes('New'), parent, body: { type: newFields, use: 'New', configured } },
    update: { ...changes, ...scopes('Patch'), body: { type: fields, use: 'Patch', configured } },
    replace: { ...changes, ...scopes('Replacement'), body: { type: fields, use: 'Replacement', configured } },
    remove: { resource, scope, ...scopes(), ifMatch: 'optional', deletes: true },
    undelete: { resource, scope, ifMatch: 'required', restores: true },
  } as const satisfies Record<string, WriteRule>;
}

const WRITE_RULE = 'waybill:write-rule';

/** Attaches a rule to a route. `@Writes` also opens the transaction. */
export function setWriteRule(rule: WriteRule): MethodDecorator {
  return (_target, _name, { value }) => Reflect.defineMetadata(WRITE_RULE, rule, value as object);
}

/** The rule of a route; undefined for a route that only reads. */
export function writeRuleOf(handler: object): WriteRule | undefined {
  return Reflect.getMetadata(WRITE_RULE, handler) as WriteRule | undefined;
}

/** The single version in If-Match, as a key for `PastVersions`: several records may share an eTag. */
export function namedVersion(rule: WriteRule, { headers, params }: SentWrite): string | undefined {
  if ('creates' in rule || 'restores' in rule) return undefined;
  const { resource } = rule;
  const [eTag, ...others] = eTagsToMatch(headers) ?? [];
  if (eTag === undefined || others.length > 0) return undefined;
  return `${resource.name} ${params[resource.parameter] ?? ''} ${eTag}`;
}
