import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Produces } from '../http/accept.guard.js';
import { contextOf } from '../http/request-context.js';
import { untilClosed } from '../http/until-closed.js';
import { fieldProblem, Problem } from '../problem/problem.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { OneOf } from '../validation/rules.js';

/** The media types of a list: a page of it as JSON or HTML, or all of it as a file. */
const PAGE_TYPES = ['application/json', 'text/html'];
export const FILE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;
const LIST_TYPES = [...PAGE_TYPES, ...Object.values(FILE_TYPES)];

export type FileFormat = keyof typeof FILE_TYPES;

/** A request for a whole list as a file. */
export interface FileRequest {
  readonly format: FileFormat;
  /** Whether the file is for Excel, which needs a byte order mark. */
  readonly excel: boolean;
  /** HEAD asks for the headers alone. */
  readonly isHead: boolean;
  /** Aborted when the client has gone, or has got everything. */
  readonly closed: AbortSignal;
  readonly request: Request;
}

/** A list that can also be had as a file. */
export function ProducesFiles(): MethodDecorator {
  return applyDecorators(Produces(...LIST_TYPES));
}

/** What a request for a file asks for; undefined for one that asks for a page. 400 for a parameter that does not go with it. */
export const AskedFile = createParamDecorator((_: unknown, context: ExecutionContext): FileRequest | undefined => {
  const request = context.switchToHttp().getRequest<Request>();
  const type = request.accepts(LIST_TYPES);
  const format = (Object.keys(FILE_TYPES) as FileFormat[]).find((each) => FILE_TYPES[each] === type);
  const { excel } = refuseParameters(contextOf(request).query, format);
  if (format === undefined) return undefined;
  if (request.httpVersion === '1.0') throw incompleteUnnoticed();
  const isHead = request.method === 'HEAD';
  return { format, excel: excel === 'true', isHead, closed: untilClosed(request), request };
});

/** The parameter `excel` of a list. */
export function Excel(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'With `Accept: text/csv` only: whether the file begins with a byte order mark, by which Excel recognizes UTF-8.',
      examples: ['true'],
    }),
    OneOf(['true', 'false']),
  );
}

interface ListParameters {
  readonly excel?: string;
}

/** A file is the whole list, so it has no pages; and its columns are the fields of one kind of record. */
const NOT_WITH_FILES = ['limit', 'cursor', 'expand'];

function refuseParameters(query: object, format: FileFormat | undefined): ListParameters {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const refused = given.filter((name) =>
    name === 'excel' ? format !== 'csv' : format !== undefined && NOT_WITH_FILES.includes(name),
  );
  if (refused.length === 0) return query;
  throw fieldProblem(
    'INVALID_PARAMETER',
    refused.map((name) => ({
      pointer: `?${name}`,
      code: 'INVALID_VALUE',
      message:
        name === 'excel'
          ? `is only for files: send Accept: ${FILE_TYPES.csv} with it`
          : 'cannot be combined with a file, which is the whole list without anything nested in it',
    })),
  );
}

function incompleteUnnoticed(): Problem {
  const reason = 'With HTTP/1.0 a client cannot tell a file that was broken off from a complete one.';
  return new Problem('NOT_ACCEPTABLE', `${reason} Ask for files with HTTP/1.1.`);
}
