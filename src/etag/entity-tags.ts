import { hash } from 'node:crypto';
import { isETag } from '../validation/json-schema.js';

declare const brand: unique symbol;

/** The version of a record: SHA-256 of its updatedAt (ISO, milliseconds) in lower-case hex. Opaque to clients. */
export type ETag = string & { readonly [brand]: 'ETag' };

/** The same as PostgreSQL's function `etag_of` (see the version clock migration), which locks and history use. */
export function eTagOf(updatedAt: string): ETag {
  return hash('sha256', updatedAt) as ETag;
}

/** An entity tag (RFC 9110, 8.8.3). */
interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** The value of If-Match or If-None-Match. An empty list is legal and matches nothing. */
export type TagList = '*' | readonly EntityTag[];

/** An unquoted tag, accepted if it is the whole header. Tags are opaque, so it may look like anything. */
const BARE = '[\\x21\\x23-\\x2B\\x2D-\\x7E\\x80-\\xFF]+';
const BARE_TAG = new RegExp(`^${BARE}$`);

/** The next list element: whitespace and an optional tag, up to a comma or the end. Opaque tags have no whitespace, quotes or controls. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

const LISTED = '(W/)?"[\\x21\\x23-\\x7E\\x80-\\xFF]*"';

/** The pattern for the API document; `*` looks like a bare tag. The parser also accepts empty list elements. */
export const TAGS_PATTERN = `^(${BARE}|${LISTED}([ \\t]*,[ \\t]*${LISTED})*)$`;

/** Limit for empty list elements, of which RFC 9110 (5.6.1.2) requires support for a reasonable number. */
const MAX_EMPTY_ELEMENTS = 64;

/** Parses If-Match or If-None-Match in linear time; undefined if malformed. Also accepts one bare tag, as in the specification. */
export function parseTags(header: string): TagList | undefined {
  const value = header.trim();
  if (value === '*') return '*';
  if (BARE_TAG.test(value)) return [{ weak: false, opaque: value }];
  const tags: EntityTag[] = [];
  let empty = 0;
  ELEMENT.lastIndex = 0;
  for (;;) {
    const element = ELEMENT.exec(value);
    if (element === null) return undefined;
    const [, weak, opaque, end] = element;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
    else if (++empty > MAX_EMPTY_ELEMENTS) return undefined;
    if (end === '') return tags;
  }
}

/** Strong comparison, for If-Match: a weak tag never matches. */
export function matchesStrongly(tags: TagList, eTag: string): boolean {
  return tags === '*' || tags.some((tag) => !tag.weak && tag.opaque === eTag);
}

/** Weak comparison, for If-None-Match. */
export function matchesWeakly(tags: TagList, eTag: string): boolean {
  return tags === '*' || tags.some((tag) => tag.opaque === eTag);
}

/** Names that languages give to a missing value, sent when a variable is formatted that has none. */
const MISSING_VALUES: readonly string[] = ['null', 'undefined', 'None'];

/** Why tags name nothing; undefined if they name something. */
export function whyWithoutValue(tags: TagList): string | undefined {
  if (tags === '*') return undefined;
  if (tags.every(({ opaque }) => opaque === '')) return 'If-Match is empty.';
  if (tags.some(({ opaque }) => isETag(opaque))) return undefined;
  const missing = tags.find(({ opaque }) => MISSING_VALUES.includes(opaque));
  return missing && `If-Match is "${missing.opaque}", as a client sends it from a variable without a value.`;
}

/** Why tags cannot match any version; undefined if they could. */
export function whyNeverCurrent(tags: TagList): string | undefined {
  const why = whyWithoutValue(tags);
  if (why !== undefined) return `${why} Send the eTag of the record that you last read.`;
  if (tags === '*' || tags.some(({ opaque }) => isETag(opaque))) return undefined;
  return 'This record never had the version in If-Match. Read the record and send its eTag.';
}

/** Normalizes a header: order, duplicates, whitespace and missing quotes make no difference. */
export function canonicalTags(header: string): string {
  const tags = parseTags(header) ?? header;
  if (typeof tags === 'string') return tags;
  const written = tags.map(({ weak, opaque }) => `${weak ? 'W/' : ''}"${opaque}"`);
  return [...new Set(written)].sort().join(', ');
}
