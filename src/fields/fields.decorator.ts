import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../config/config.js';
import type { FieldError } from '../problem/problem.js';
import { writeOf } from '../records/write-slot.js';
import type { FieldsType } from '../schema/rules.js';
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

/** Where the application leaves its configuration for those whom NestJS does not construct. */
export const CONFIG_LOCAL = 'waybill config';

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

function body(rule: BodyRule): ParameterDecorator {
  const read = createParamDecorator((_: unknown, context: ExecutionContext): object => {
    const request = context.switchToHttp().getRequest<Request<Params>>();
    const row = rule.mode === undefined ? writeOf(request).locked?.row : undefined;
    const config = request.app.locals[CONFIG_LOCAL] as Config;
    return readFields(rule.type, request.body, {
      mode: modeOf(rule, request.method),
      current: currentOf(rule, row, request.params),
      operation: (template) => operationFor(template, config, request.params),
      configured: rule.configured && ((fields, current) => rule.configured?.(config, fields, current) ?? []),
    });
  })();
  return (target, method, index) => {
    const handler = (target as Record<string | symbol, object>)[method ?? ''];
    if (handler !== undefined) Reflect.defineMetadata(BODY_RULE, rule, handler);
    read(target, method, index);
  };
}

/** Fills in what is known: `PATCH /prime/v1/shipments/{shipmentID}/updateStatus` for a shipment that is yet to be created. */
function operationFor(template: string, { API_PREFIX }: Config, params: Params): string {
  const known: Params = { ...params, prefix: API_PREFIX };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}

function currentOf({ partNamed }: BodyRule, row: object | undefined, params: Params): object | undefined {
  if (row === undefined || partNamed === undefined) return row;
  const name = partNamed(row as never, params);
  return name === undefined ? undefined : (row as Record<string, object>)[name];
}
