import { createParamDecorator, Inject, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { writeOf } from '../http/request-context.js';
import { readFields, type Reading } from './read-fields.js';
import { writeRuleOf, type BodyRule, type Params, type SentWrite } from './write-rule.js';

/** PATCH merges into the current record; every other body is complete. */
export function modeOf({ use }: BodyRule): Reading['mode'] {
  return use === 'Patch' ? 'merge' : 'replace';
}

/**
 * The fields that a request writes by the rule of its route: all of them for a POST or PUT, for a PATCH those that its body names, merged
 * into the locked row.
 */
export function Fields(): ParameterDecorator {
  return SentBody(FieldsPipe);
}

/** A request's body, and all that FieldsPipe needs to read it: a pipe does not get the request. */
interface Sent {
  readonly rule: BodyRule;
  readonly request: Request<Params>;
}

const SentBody = createParamDecorator((_: unknown, context: ExecutionContext): Sent => {
  const rule = writeRuleOf(context.getHandler())?.body;
  if (rule === undefined) throw new Error('The write rule of the route has no body');
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
  { params, body }: Pick<SentWrite, 'params' | 'body'>,
  row: object | undefined,
  config: Config,
): object {
  const { configured } = rule;
  return readFields(rule.type, body, {
    mode: modeOf(rule),
    current: currentOf(rule, params, row),
    operation: (template) => operationFor(template, config, params),
    configured: configured && ((fields, current) => configured(config, fields, current)),
  });
}

/** The record that the body is about, or the part of it, as it is now; an order is about neither. */
function currentOf({ use, partNamed }: BodyRule, params: Params, row: object | undefined): object | undefined {
  if (use === 'Order') return undefined;
  if (row === undefined || partNamed === undefined) return row;
  const name = partNamed(row as never, params);
  return name === undefined ? undefined : (row as Record<string, object>)[name];
}

/** Fills in what is known: `PATCH /prime/v1/shipments/{shipmentID}/updateStatus` for a shipment that is yet to be created. */
function operationFor(template: string, { API_PREFIX }: Config, params: Params): string {
  const known: Params = { ...params, prefix: API_PREFIX };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}
