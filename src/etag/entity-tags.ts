/** One entity tag of a header, as RFC 9110 (8.8.3) writes it. */
export interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** What If-Match or If-None-Match can say: any current version, or one of these. An empty list is legal and matches nothing. */
export type TagList = '*' | readonly EntityTag[];

/** An eTag as it stands in a body; clients may send it back as it is when it is the whole header. */
const BARE_ETAG = /^[0-9A-Fa-f]{64}$/;

/** The next element of a list: blanks and an optional tag, up to a comma or the end. An opaque tag has no blank, quote or control. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

const LISTED = '(W/)?"[\\x21\\x23-\\x7E\\x80-\\xFF]*"';
const TAGS = `\\*|${LISTED}([ \\t]*,[ \\t]*${LISTED})*`;

/** What a client should send, for the document; empty elements are taken as well, but nobody needs to know. */
export const TAGS_PATTERN = `^(${TAGS})$`;
export const TAGS_OR_BARE_ETAG_PATTERN = `^([0-9A-Fa-f]{64}|${TAGS})$`;

/** How many empty list elements are put up with (RFC 9110, 5.6.1.2 asks for a reasonable number). */
const MAX_EMPTY_ELEMENTS = 64;

/** Reads the value of If-Match or If-None-Match; undefined when it is malformed. Takes time linear in its length. */
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

/** As `parseTags`, and also takes a single eTag without quotes, as the specification's clients send it. */
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

/** One spelling for all headers that name the same versions: order, repetition, blanks and missing quotes make no difference. */
export function canonicalTags(header: string): string {
  const tags = parseTagsOrBareETag(header) ?? header;
  if (typeof tags === 'string') return tags;
  const written = tags.map(({ weak, opaque }) => `${weak ? 'W/' : ''}"${opaque}"`);
  return [...new Set(written)].sort().join(', ');
}
