import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { writeOf } from '../etag/write-slot.js';
import { readFields } from './read-fields.js';
import type { FieldsType } from './rules.js';

type PartOf = (row: never, params: Record<string, string>) => object | undefined;

/**
 * The fields of the record after the request: the body of a POST or PUT is complete, that of a PATCH merges into the locked row.
 * With `partOf`, the request is about that part of the row.
 */
export function Fields<F extends object>(type: FieldsType<F>, partOf?: PartOf): ParameterDecorator {
  return createParamDecorator((_: unknown, context: ExecutionContext): F => {
    const request = context.switchToHttp().getRequest<Request<Record<string, string>>>();
    const row = writeOf(request).locked?.row;
    const current = partOf !== undefined && row !== undefined ? partOf(row as never, request.params) : row;
    return readFields(type, request.body, { mode: request.method === 'PATCH' ? 'merge' : 'replace', current });
  })();
}

/** The body as an order to do something, which is complete in itself whatever the method. */
export function Command<F extends object>(type: FieldsType<F>): ParameterDecorator {
  return createParamDecorator((_: unknown, context: ExecutionContext): F => {
    return readFields(type, context.switchToHttp().getRequest<Request>().body, { mode: 'replace' });
  })();
}
