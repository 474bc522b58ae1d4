import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { Produces } from '../http/accept.guard.js';
import { contextOf, requestOf } from '../http/request-context.js';
import { FILE_TYPES, type FileFormat, formatOf } from '../http/media-types.js';
import { untilClosed } from '../http/until-closed.js';
import { fieldProblem, Problem } from '../problem/problem.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { OneOf } from '../validation/rules.js';

/** The media types of a list: a page as JSON or HTML, or the whole list as a file. */
const PAGE_TYPES = ['application/json', 'text/html'];
const LIST_TYPES = [...PAGE_TYPES, ...Object.values(FILE_TYPES)];

export interface FileRequest {
  readonly format: FileFormat;
  /** Whether the file is for a spreadsheet: with a byte order mark, and texts that keep their form. */
  readonly excel: boolean;
  /** Aborted when the client has disconnected or received everything. */
  readonly closed: AbortSignal;
  readonly request: Request;
}

export function ProducesFiles(): MethodDecorator {
  return Produces(...LIST_TYPES);
}

/** The requested file; undefined for a page. 400 if a parameter cannot be combined with it. */
export const RequestedFile = createParamDecorator((_: unknown, context: ExecutionContext): FileRequest | undefined => {
  const request = requestOf(context);
  const format = formatOf(request.accepts(LIST_TYPES));
  const { excel } = rejectParameters(contextOf(request).query, format);
  if (format === undefined) return undefined;
  if (request.httpVersion === '1.0') {
    const reason = 'With HTTP/1.0, a client cannot distinguish a truncated file from a complete one.';
    throw new Problem('NOT_ACCEPTABLE', `${reason} Use HTTP/1.1 for files.`);
  }
  return { format, excel: excel === 'true', closed: untilClosed(request), request };
});

export function Excel(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({
      description:
        'Only for CSV: a file for spreadsheets. It begins with a byte order mark, so that Excel recognizes UTF-8. Dates, and texts that a spreadsheet would take for numbers or dates, are written as `="02134"`, so that they stay as they are. An import reads such cells.',
      examples: ['true'],
    }),
    OneOf(['true', 'false']),
  );
}

/** A file is the whole list, so it has no pages, and its columns are the fields of one kind of record. */
const NOT_WITH_FILES = ['limit', 'cursor', 'expand', 'count'];

function rejectParameters(query: object, format: FileFormat | undefined): { readonly excel?: string } {
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
          : 'cannot be combined with a file, which contains the whole list without nested records',
    })),
  );
}
