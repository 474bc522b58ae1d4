import type { Resource } from './resource.js';
import type { ETag } from '../etag/version.js';

/** The result of every statement that returns a record for a client. */
export interface RenderedRow {
  readonly id: string;
  readonly eTag: ETag;
  readonly json: string;
}

/** A record as the database answered it: JSON text that is ready to be sent, and the version it shows. */
export class RenderedRecord {
  private constructor(
    readonly id: string,
    readonly eTag: ETag,
    readonly json: string,
    /** Expanded JSON can change without the record's version. */
    readonly expanded: boolean,
    /** Where the record lives. */
    readonly path: string,
  ) {}

  static from(resource: Resource, row: RenderedRow, expand: readonly string[] = []): RenderedRecord {
    return new RenderedRecord(row.id, row.eTag, row.json, expand.length > 0, `${resource.path}/${row.id}`);
  }

  /** The same version, shown as one part of the record. */
  part(json: string): RenderedRecord {
    return new RenderedRecord(this.id, this.eTag, json, this.expanded, this.path);
  }
}

/** The result of a statement that returns a page. */
export interface PageRow {
  /** Null when there are none. */
  readonly records: string | null;
  readonly lastKey: string;
  readonly hasMore: boolean;
}

/** One page of a list. */
export class Page {
  constructor(
    /** Their JSON texts, joined by commas. */
    readonly records: string,
    /** The order of the list and the key of the last record of the page, when there is more after it. */
    readonly lastKey: string | undefined,
    /** The parameter that asks for what comes after that key. */
    readonly parameter: 'cursor' | 'after' = 'cursor',
  ) {}
}
