import type { IncomingHttpHeaders } from 'node:http';
import { matchesStrongly, matchesWeakly, parseTags, parseTagsOrBareETag, type TagList } from './entity-tags.js';
import { Problem } from '../problem/problem.js';
import type { ETag } from './version.js';
import { isETag } from '../validation/json-schema.js';

/**
 * The preconditions of one request, judged against the version of a record in the order of RFC 9110, 13.2.2.
 * Dates (If-Modified-Since, If-Unmodified-Since) are not looked at: a second is too coarse to protect a write.
 */

/** Whether a write has to send If-Match. */
export type IfMatch = 'required' | 'optional';

/** The record that a write names, if there is one, has none of the versions that If-Match names. */
export class StaleVersion extends Error {
  constructor() {
    super('The record has another version than the one If-Match names');
  }
}

/** Compares the version that a record has with the preconditions of a write: 428, 400, StaleVersion or 412. */
export function requireVersion(headers: IncomingHttpHeaders, ifMatch: IfMatch, current: ETag): void {
  const named = ifMatchOf(headers, ifMatch);
  if (named !== undefined && !matchesStrongly(named, current)) throw new StaleVersion();
  requireNoneMatch(headers, current);
}

/** The versions that the If-Match of a write names; 428 when it is required and missing. */
export function ifMatchOf(headers: IncomingHttpHeaders, ifMatch: IfMatch): TagList | undefined {
  const expected = headers['if-match'];
  if (expected !== undefined) return ifMatchTags(expected);
  if (ifMatch === 'required') throw ifMatchMissing();
  return undefined;
}

/** The eTags that can match If-Match; undefined when it matches any version, is malformed or is missing. */
export function eTagsToMatch(headers: IncomingHttpHeaders): readonly string[] | undefined {
  const tags = parseTagsOrBareETag(headers['if-match'] ?? '*');
  if (tags === undefined || tags === '*') return undefined;
  return tags.filter(({ weak, opaque }) => !weak && isETag(opaque)).map(({ opaque }) => opaque);
}

/** 412 when a write excludes the version that the record has. */
function requireNoneMatch(headers: IncomingHttpHeaders, current: ETag): void {
  const excluded = headers['if-none-match'];
  if (excluded === undefined) return;
  const tags = parseTags(excluded) ?? malformed('If-None-Match');
  if (matchesWeakly(tags, current)) throw excludedVersion(current);
}

/**
 * 412 unless the preconditions of a request that creates a record hold. They are about the collection, which exists but has no
 * version of its own, so that only * matches it.
 */
export function requireCollectionMatch(headers: IncomingHttpHeaders): void {
  const expected = headers['if-match'];
  if (expected !== undefined && ifMatchTags(expected) !== '*') throw collectionProblem('If-Match names a version');
  const excluded = headers['if-none-match'];
  if (excluded === undefined) return;
  const tags = parseTags(excluded) ?? malformed('If-None-Match');
  if (tags === '*') throw collectionProblem('If-None-Match excludes that it is there');
}

/** Whether a read should answer 304 because the client has this version; throws when If-Match names another. */
export function judgeRead(headers: IncomingHttpHeaders, current: ETag): 'send' | 'not modified' {
  const expected = headers['if-match'];
  if (expected !== undefined && !matchesStrongly(ifMatchTags(expected), current)) throw otherVersion(current);
  const known = headers['if-none-match'];
  if (known === undefined) return 'send';
  // A malformed value on a read is no reason to refuse: sending the record is always right.
  const tags = parseTags(known) ?? [];
  return matchesWeakly(tags, current) ? 'not modified' : 'send';
}

function ifMatchTags(header: string): TagList {
  return parseTagsOrBareETag(header) ?? malformed('If-Match');
}

function malformed(name: string): never {
  throw new Problem(
    'INVALID_HEADER',
    `The header ${name} must be one eTag, a list of eTags in double quotes, or *. Send the eTag of the record as you last read it.`,
  );
}

function ifMatchMissing(): Problem {
  return new Problem(
    'PRECONDITION_REQUIRED',
    "The header If-Match is missing. Send the eTag of the record as you last read it, so that nobody else's change is overwritten.",
  );
}

function otherVersion(current: ETag): Problem {
  return new Problem('PRECONDITION_FAILED', 'The record has another version than the one that If-Match names.', {
    members: { currentETag: current },
  });
}

function collectionProblem(fault: string): Problem {
  return new Problem(
    'PRECONDITION_FAILED',
    `A new record is added to a collection, which is there and has no eTag, but ${fault}. Nothing was written.`,
  );
}

function excludedVersion(current: ETag): Problem {
  return new Problem(
    'PRECONDITION_FAILED',
    'The record has a version that If-None-Match excludes. Nothing was written.',
    {
      members: { currentETag: current },
    },
  );
}
