import type { IncomingHttpHeaders } from 'node:http';
import {
  type ETag,
  matchesStrongly,
  matchesWeakly,
  parseTags,
  type TagList,
  whyNeverCurrent,
  whyWithoutValue,
} from './entity-tags.js';
import { Problem } from '../problem/problem.js';
import { isETag } from '../validation/json-schema.js';

/** Preconditions in the order of RFC 9110, 13.2.2, without those by date: one second is too coarse to protect a write. */

const SEND_VERSION = 'Send the eTag of the record that you last read';
const SEND_DELETION = 'Send the deletionETag from GET /v1/deletions';

/** Whether a write must send If-Match. */
export type IfMatch = 'required' | 'optional';

/** The record's version does not match If-Match, or the record does not exist. */
export class StaleVersion extends Error {
  override readonly message = 'The version of the record does not match If-Match';
}

/** Checks the preconditions of a write against the current version: 428, 400, StaleVersion or 412. */
export function requireVersion(headers: IncomingHttpHeaders, ifMatch: IfMatch, current: ETag): void {
  const tags = ifMatchOf(headers, ifMatch);
  if (tags !== undefined && !matchesStrongly(tags, current)) throw new StaleVersion();
  const excluded = excludedBy(headers);
  if (excluded === undefined || !matchesWeakly(excluded, current)) return;
  throw failed('If-None-Match excludes the current version of the record. Nothing was written.', current);
}

/** Checks the preconditions of an undelete against the version of the deletion: 428, 400 or 412. */
export function requireDeletion(headers: IncomingHttpHeaders, deletionETag: ETag): void {
  const expected = headers['if-match'];
  if (expected === undefined) throw missing(`${SEND_DELETION}, so that you undo no other deletion.`);
  const tags = ifMatchTags(expected, SEND_DELETION);
  if (!matchesStrongly(tags, deletionETag)) {
    const why = matchesWeakly(tags, deletionETag) ? WEAK_DELETION : (whyWithoutValue(tags) ?? OTHER_DELETION);
    throw new Problem('PRECONDITION_FAILED', `${why} ${SEND_DELETION}. Nothing was written.`);
  }
  const excluded = excludedBy(headers);
  if (excluded === undefined || !matchesWeakly(excluded, deletionETag)) return;
  throw new Problem('PRECONDITION_FAILED', 'If-None-Match excludes the deletion of the record. Nothing was written.');
}

const WEAK_DELETION = 'If-Match names the deletion with a weak tag, which never matches.';
const OTHER_DELETION =
  'If-Match does not name the latest deletion of the record: it was restored and deleted again, or this is another eTag.';

/** The versions in the If-Match header; 428 if it is required but missing. */
export function ifMatchOf(headers: IncomingHttpHeaders, ifMatch: IfMatch): TagList | undefined {
  const expected = headers['if-match'];
  if (expected !== undefined) return ifMatchTags(expected);
  if (ifMatch === 'optional') return undefined;
  throw missing(`${SEND_VERSION}, so that you do not overwrite someone else's change.`);
}

function missing(remedy: string): Problem {
  return new Problem('PRECONDITION_REQUIRED', `The header If-Match is missing. ${remedy}`);
}

/** The eTags in If-Match; undefined if it matches any version, is malformed or is missing. */
export function eTagsToMatch(headers: IncomingHttpHeaders): readonly string[] | undefined {
  const tags = parseTags(headers['if-match'] ?? '*');
  if (tags === undefined || tags === '*') return undefined;
  return tags.filter(({ weak, opaque }) => !weak && isETag(opaque)).map(({ opaque }) => opaque);
}

/** The versions that a write must not find, or 400. */
function excludedBy(headers: IncomingHttpHeaders): TagList | undefined {
  const excluded = headers['if-none-match'];
  return excluded === undefined ? undefined : (parseTags(excluded) ?? malformed('If-None-Match'));
}

/** 412 unless the preconditions of a creating request hold. They apply to the collection, which has no version, so only * matches it. */
export function requireCollectionMatch(headers: IncomingHttpHeaders): void {
  const expected = headers['if-match'];
  if (expected !== undefined && ifMatchTags(expected) !== '*') throw collectionProblem('If-Match names a version');
  if (excludedBy(headers) === '*') throw collectionProblem('If-None-Match is *');
}

/** Whether a read should return 304; 412 if If-Match names another version. */
export function judgeRead(headers: IncomingHttpHeaders, current: ETag): boolean {
  const expected = headers['if-match'];
  const tags = expected === undefined ? '*' : ifMatchTags(expected);
  if (!matchesStrongly(tags, current)) {
    throw failed(whyNeverCurrent(tags) ?? 'The current version of the record does not match If-Match.', current);
  }
  const known = headers['if-none-match'];
  // Ignore a malformed header on a read: sending the record is always correct.
  return known !== undefined && matchesWeakly(parseTags(known) ?? [], current);
}

function ifMatchTags(header: string, remedy = SEND_VERSION): TagList {
  return parseTags(header) ?? malformed('If-Match', remedy);
}

function malformed(name: string, remedy = SEND_VERSION): never {
  throw new Problem(
    'INVALID_HEADER',
    `The header ${name} must be one eTag, with or without double quotes, a list of eTags in double quotes, or *. ${remedy}.`,
  );
}

function failed(detail: string, currentETag: ETag): Problem {
  return new Problem('PRECONDITION_FAILED', detail, { members: { currentETag } });
}

function collectionProblem(fault: string): Problem {
  return new Problem(
    'PRECONDITION_FAILED',
    `The preconditions of a POST apply to the collection, which exists and has no eTag, but ${fault}. Nothing was written.`,
  );
}
