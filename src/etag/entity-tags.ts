declare const brand: unique symbol;

/**
 * The version of a record: SHA-256 of its updatedAt (ISO, milliseconds) in lower-case hex. Opaque to clients. Only PostgreSQL's function
 * `etag_of` (see the version clock migration) computes it, from the stored and locked value, so reads, writes and history always agree.
 */
export type ETag = string & { readonly [brand]: 'ETag' };

/** An entity tag (RFC 9110, 8.8.3). */
interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** The value of If-Match or If-None-Match. An empty list is legal and matches nothing. */
export type TagList = '*' | readonly EntityTag[];

/** An unquoted eTag, as in a body; accepted if it is the whole header. */
const BARE_ETAG = /^[0-9A-Fa-f]{64}$/;

/** The next list element: whitespace and an optional tag, up to a comma or the end. Opaque tags have no whitespace, quotes or controls. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

const LISTED = '(W/)?"[\\x21\\x23-\\x7E\\x80-\\xFF]*"';
const TAGS = `\\*|${LISTED}([ \\t]*,[ \\t]*${LISTED})*`;

/** Patterns for the API document. The parser also accepts empty list elements. */
export const TAGS_PATTERN = `^(${TAGS})$`;
export const TAGS_OR_BARE_ETAG_PATTERN = `^([0-9A-Fa-f]{64}|${TAGS})$`;

/** Limit for empty list elements, of which RFC 9110 (5.6.1.2) requires support for a reasonable number. */
const MAX_EMPTY_ELEMENTS = 64;

/** Parses If-Match or If-None-Match in linear time; undefined if malformed. */
export function parseTags(header: string): TagList | undefined {
  const value = header.trim();
  if (value === '*') return '*';
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

/** Like `parseTags`, but also accepts a single unquoted eTag, as the specification's clients send it. */
export function parseTagsOrBareETag(header: string): TagList | undefined {
  const value = header.trim();
  return BARE_ETAG.test(value) ? [{ weak: false, opaque: value }] : parseTags(value);
}

/** Strong comparison, for If-Match: a weak tag never matches. */
export function matchesStrongly(tags: TagList, eTag: string): boolean {
  return tags === '*' || tags.some((tag) => !tag.weak && tag.opaque === eTag);
}

/** Weak comparison, for If-None-Match. */
export function matchesWeakly(tags: TagList, eTag: string): boolean {
  return tags === '*' || tags.some((tag) => tag.opaque === eTag);
}

/** Normalizes a header: order, duplicates, whitespace and missing quotes make no difference. */
export function canonicalTags(header: string): string {
  const tags = parseTagsOrBareETag(header) ?? header;
  if (typeof tags === 'string') return tags;
  const written = tags.map(({ weak, opaque }) => `${weak ? 'W/' : ''}"${opaque}"`);
  return [...new Set(written)].sort().join(', ');
}
