import { createParamDecorator, Inject, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { requestOf } from '../http/request-context.js';
import { openWriteOf } from './open-write.js';
import { readFields, type Reading } from './read-fields.js';
import { writeRuleOf, type BodyRule, type Params, type SentWrite } from './write-rule.js';

/** PATCH merges into the current record; every other body is complete. */
export function modeOf({ use }: BodyRule): Reading['mode'] {
  return use === 'Patch' ? 'merge' : 'replace';
}

/** The fields that a request writes: all of them for POST or PUT; for PATCH those in its body, merged into the locked row. */
export function Fields(): ParameterDecorator {
  return SentBody(FieldsPipe);
}

/** The body of a request with its context: a pipe does not get the request. */
interface Sent {
  readonly rule: BodyRule;
  readonly request: Request<Params>;
}

const SentBody = createParamDecorator((_: unknown, context: ExecutionContext): Sent => {
  const rule = writeRuleOf(context.getHandler())?.body;
  if (rule === undefined) throw new Error('The write rule of the route has no body');
  return { rule, request: requestOf<Request<Params>>(context) };
});

/** Parses the body by the rule of the route, or throws a 422 with all faults. */
@Injectable()
class FieldsPipe implements PipeTransform<Sent, object> {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  transform({ rule, request }: Sent): object {
    return fieldsSent(rule, request, openWriteOf(request).locked?.row, this.config);
  }
}

/** The fields that a request or bulk item writes to the locked row, or a 422. */
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

/** The current record or part that the body refers to; an order refers to neither. */
function currentOf({ use, partNamed }: BodyRule, params: Params, row: object | undefined): object | undefined {
  if (use === 'Command') return undefined;
  if (row === undefined || partNamed === undefined) return row;
  const name = partNamed(row as never, params);
  return name === null ? undefined : (row as Record<string, object>)[name];
}

/** Fills in known parameters; leaves those of a new record, as in `PATCH /prime/v1/shipments/{shipmentID}/updateStatus`. */
function operationFor(template: string, { API_PREFIX }: Config, params: Params): string {
  const known: Params = { ...params, prefix: API_PREFIX };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
}
