import type { IncomingHttpHeaders } from 'node:http';
import { eTagsToMatch, type IfMatch } from '../etag/preconditions.js';
import type { Resource } from '../records/resource.js';

export type Params = Record<string, string>;

/** A write as its client asked for it: a request of its own, or an item of a bulk, which stands for one. */
export interface AskedWrite {
  readonly method: string;
  readonly params: Params;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

/** Whether the part of a record that a path names is there; the record itself is, and is locked. */
export type HasPart<T> = (row: T, params: Params) => boolean;

/** A route that changes or deletes a record if it has a version that If-Match names. */
export interface ConditionalRule {
  readonly resource: Resource;
  readonly ifMatch: IfMatch;
  readonly hasPart?: HasPart<never> | undefined;
}

/** What a writing route does to which resource. */
export type WriteRule = ConditionalRule | { readonly creates: true; readonly parent: Resource | undefined };

export const WRITE_RULE = 'waybill:write-rule';

export function writeRuleOf(handler: object): WriteRule {
  const rule = Reflect.getMetadata(WRITE_RULE, handler) as WriteRule | undefined;
  if (rule === undefined) throw new Error('The route is not marked as a writing one');
  return rule;
}

/** The one version that If-Match names, as `PastVersions` knows it: an eTag alone may belong to several records. */
export function namedVersion(rule: WriteRule, { headers, params }: AskedWrite): string | undefined {
  if ('creates' in rule) return undefined;
  const { resource } = rule;
  const [eTag, ...others] = eTagsToMatch(headers) ?? [];
  if (eTag === undefined || others.length > 0) return undefined;
  return `${resource.name} ${params[resource.parameter] ?? ''} ${eTag}`;
}
