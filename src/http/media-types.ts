import { Problem } from '../problem/problem.js';

const JSON_TYPE = 'application/json';

/** The media types that each method takes. Both of PATCH's mean JSON Merge Patch (RFC 7396). */
export const MEDIA_TYPES: Readonly<Record<'POST' | 'PUT' | 'PATCH', readonly string[]>> = {
  POST: [JSON_TYPE],
  PUT: [JSON_TYPE],
  PATCH: ['application/merge-patch+json', JSON_TYPE],
};

/** Refuses a body of another media type or charset. */
export function checkMediaType(method: keyof typeof MEDIA_TYPES, contentType: string | undefined): void {
  if (contentType !== JSON_TYPE) {
    mediaTypeAmong(MEDIA_TYPES[method], contentType, method === 'PATCH' ? 'Accept-Patch' : 'Accept');
  }
}

/** Which of these types a body has. 415 for any other and for another charset, with the types in this header of the answer. */
export function mediaTypeAmong(types: readonly string[], contentType: string | undefined, header = 'Accept'): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (types.includes(type) && parameters.every(isUtf8)) return type;
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The Content-Type must be ${types.join(' or ')}, in UTF-8.`, {
    headers: { [header]: types.join(', ') },
  });
}

/** Whether a parameter of a Content-Type is anything but another charset. */
function isUtf8(parameter: string): boolean {
  return /^charset="?utf-8"?$/.test(parameter) || !parameter.startsWith('charset');
}
