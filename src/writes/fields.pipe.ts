import { createParamDecorator, Inject, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { writeOf } from '../http/request-context.js';
import type { FieldError } from '../problem/problem.js';
import type { FieldsType } from '../validation/rules.js';
import { readFields, type Reading } from './read-fields.js';

type Params = Record<string, string>;

/** Names the part of a record that a request is about. */
type PartNamed = (row: never, params: Params) => string | undefined;

/** What a route takes as its body. */
export interface BodyRule {
  readonly type: FieldsType<object>;
  /** By the method, unless the body is an order that is complete in itself. */
  readonly mode?: Reading['mode'];
  readonly partNamed?: PartNamed | undefined;
  readonly configured?: ConfiguredRule | undefined;
}

/** What the configuration demands of the fields, beyond what every installation does. */
type ConfiguredRule = (config: Config, fields: never, current: never) => FieldError[];

const BODY_RULE = 'waybill:body-rule';

export function bodyRuleOf(handler: object): BodyRule | undefined {
  return Reflect.getMetadata(BODY_RULE, handler) as BodyRule | undefined;
}

/** PATCH merges into what is there, other methods send all of it. */
export function modeOf({ mode }: BodyRule, method: string): Reading['mode'] {
  return mode ?? (method === 'PATCH' ? 'merge' : 'replace');
}

/**
 * The fields that a request writes: all of them for a POST or PUT, for a PATCH those that its body names, merged into the
 * locked row. With `partNamed`, the request is about that part of the row.
 */
export function Fields<F extends object>(
  type: FieldsType<F>,
  { partNamed, configured }: Pick<BodyRule, 'partNamed' | 'configured'> = {},
): ParameterDecorator {
  return body({ type, partNamed, configured });
}

/** The body as an order to do something, which is complete in itself whatever the method. */
export function Command<F extends object>(type: FieldsType<F>): ParameterDecorator {
  return body({ type, mode: 'replace' });
}

/** The document of the API describes the body by the same rule as the pipe reads it. */
function body(rule: BodyRule): ParameterDecorator {
  const sentBody = SentBody(rule, FieldsPipe);
  return (target, method, index) => {
    const handler = (target as Record<string | symbol, object>)[method ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(BODY_RULE, rule, handler);
    sentBody(target, method, index);
  };
}

/** A request's body, and all that FieldsPipe needs to read it: a pipe does not get the request. */
interface Sent {
  readonly rule: BodyRule;
  readonly request: Request<Params>;
}

const SentBody = createParamDecorator((rule: BodyRule, context: ExecutionContext): Sent => {
  return { rule, request: context.switchToHttp().getRequest<Request<Params>>() };
});

/** Reads the body of a request by the rule of its route: 422 with every fault that it has. */
@Injectable()
class FieldsPipe implements PipeTransform<Sent, object> {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  transform({ rule, request }: Sent): object {
    return fieldsSent(rule, request, writeOf(request).locked?.row, this.config);
  }
}

/** The fields that a request, or an item of a bulk, writes to the locked row by the rule of its route, or a 422. */
export function fieldsSent(
  rule: BodyRule,
  { method, params, body }: { readonly method: string; readonly params: Params; readonly body?: unknown },
  row: object | undefined,
  config: Config,
): object {
  const { configured } = rule;
  return readFields(rule.type, body, {
    mode: modeOf(rule, method),
    current: currentOf(rule, params, row),
    operation: (template) => operationFor(template, config, params),
    configured: configured && ((fields, current) => configured(config, fields, current)),
  });
}

/** The record that the body is about, or the part of it, as it is now; an order is about neither. */
function currentOf({ mode, partNamed }: BodyRule, params: Params, row: object | undefined): object | undefined {
  if (mode !== undefined) return undefined;
  if (row === undefined || partNamed === undefined) return row;
  const name = partNamed(row as never, params);
  return name === undefined ? undefined : (row as Record<string, object>)[name];
}

/** Fills in what is known: `PATCH /prime/v1/shipments/{shipmentID}/updateStatus` for a shipment that is yet to be created. */
function operationFor(template: string, { API_PREFIX }: Config, params: Params): string {
  const known: Params = { ...params, prefix: API_PREFIX };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}
