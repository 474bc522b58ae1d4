import { Problem } from '../problem/problem.js';

const JSON_TYPE = 'application/json';

/** The media types that each method accepts. Both types of PATCH mean JSON Merge Patch (RFC 7396). */
export const MEDIA_TYPES: Readonly<Record<'POST' | 'PUT' | 'PATCH', readonly string[]>> = {
  POST: [JSON_TYPE],
  PUT: [JSON_TYPE],
  PATCH: ['application/merge-patch+json', JSON_TYPE],
};

export const FILE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;
export type FileFormat = keyof typeof FILE_TYPES;
export const FILE_FORMATS = Object.keys(FILE_TYPES) as readonly FileFormat[];

export function formatOf(type: string | false): FileFormat | undefined {
  return FILE_FORMATS.find((format) => FILE_TYPES[format] === type);
}

/** The media type of a body. 415 for another type or charset, with the accepted types in the header `header`. */
export function mediaTypeAmong(types: readonly string[], contentType: string | undefined, header = 'Accept'): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (types.includes(type) && parameters.every(isUtf8)) return type;
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The Content-Type must be ${types.join(' or ')}, in UTF-8.`, {
    headers: { [header]: types.join(', ') },
  });
}

function isUtf8(parameter: string): boolean {
  return /^charset="?utf-8"?$/.test(parameter) || !parameter.startsWith('charset');
}
