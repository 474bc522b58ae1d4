import type { Resource } from './resource.js';
import type { ETag } from '../etag/entity-tags.js';

export interface RenderedRow {
  readonly id: string;
  readonly eTag: ETag;
  readonly json: string;
}

/** A record as JSON text for a response, with its version. */
export class RenderedRecord {
  private constructor(
    readonly id: string,
    readonly eTag: ETag,
    readonly json: string,
    /** Expanded JSON can change without the record's version. */
    readonly expanded: boolean,
    readonly path: string,
    /** What a repetition of the request gets instead, if the response shows something only once. */
    readonly repetition?: RenderedRecord,
  ) {}

  static from(resource: Pick<Resource, 'path'>, row: RenderedRow, expand: readonly string[] = []): RenderedRecord {
    return new RenderedRecord(row.id, row.eTag, row.json, expand.length > 0, `${resource.path}/${row.id}`);
  }

  /** The same version with additional members. */
  with(members: object): RenderedRecord {
    return this.part(`${this.json.slice(0, -1)},${JSON.stringify(members).slice(1)}`);
  }

  /** The same version with members that only the first response shows. A repetition of the request gets the others. */
  withOnce(members: object, repeated: object): RenderedRecord {
    const { json } = this.with(members);
    return new RenderedRecord(this.id, this.eTag, json, this.expanded, this.path, this.with(repeated));
  }

  /** The same version, reduced to one part of the record. */
  part(json: string): RenderedRecord {
    return new RenderedRecord(this.id, this.eTag, json, this.expanded, this.path);
  }
}

export class Page {
  constructor(
    /** The JSON of the records, separated by commas. */
    readonly records: string,
    /** The sort order and the key of the last record, if another page follows. */
    readonly lastKey: string | undefined,
    /** The query parameter for the next page. */
    readonly parameter: 'cursor' | 'after' = 'cursor',
    /** Response headers about the page. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** The moment from which to poll for changes after this page, the last one. */
    readonly monitor?: string | undefined,
  ) {}

  /** A page of numbered entries, of which one more than `limit` was read if there are more. */
  static of(entries: readonly { readonly json: string; readonly position: string }[], limit: number): Page {
    const listed = entries.slice(0, limit);
    const records = listed.map(({ json }) => json).join(',');
    return new Page(records, entries.length > limit ? listed.at(-1)?.position : undefined);
  }
}
