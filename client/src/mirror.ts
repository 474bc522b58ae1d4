import { EventsGoneError, isProblem, NoAnswerError } from './errors.js';
import type { CallOptions } from './http.js';
import { withChanges } from './merge.js';
import type { Event, Versioned } from './records.js';

/** A record that a mirror can hold. */
export interface Mirrored extends Versioned {
  readonly updatedAt: string;
}

export interface MirrorChange<R> {
  readonly id: string;
  /** Undefined if the mirror did not have it. */
  readonly before: R | undefined;
  /** Undefined if it was deleted or no longer matches the filter. */
  readonly after: R | undefined;
  /** The event; undefined if the mirror was rebuilt because its events are gone. */
  readonly event: Event | undefined;
}

export interface MirrorOptions<R> extends CallOptions {
  /** Called after each change of the mirror. */
  readonly onChange?: ((change: MirrorChange<R>) => void) | undefined;
}

/** Access to the records and events of one resource. */
export interface MirrorSource<R> {
  head(): Promise<string>;
  /** All records that match the filter. */
  list(): AsyncIterable<R>;
  read(id: string): Promise<R>;
  /** Repeats a call until it succeeds. */
  persist<T>(call: () => Promise<T>): Promise<T>;
  follow(after: string): AsyncIterable<Event>;
  /** The same filter, for one record. */
  readonly filter: FieldFilter;
}

const MAX_OLD_READS = 5;

/** A predicate for each filtered field. */
export type FieldFilter = Readonly<Record<string, (value: unknown) => boolean>>;

/** A live copy of all records of one resource that match a filter. */
export class Mirror<R extends Mirrored> {
  /** Settles when the mirror stops: resolves after its signal, rejects on an error. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly source: MirrorSource<R>,
    private readonly copies: Map<string, R>,
    after: string,
    { signal, onChange }: MirrorOptions<R>,
  ) {
    this.onChange = onChange;
    this.ended = this.follow(after).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
  }

  private readonly onChange: MirrorOptions<R>['onChange'];

  /**
   * Gets the cursor of the feed first, then reads all records: changes made meanwhile also come as events, so nothing is missed. A change
   * that a record already contains is recognized by its time.
   */
  static async start<R extends Mirrored>(source: MirrorSource<R>, options: MirrorOptions<R>): Promise<Mirror<R>> {
    const head = await source.head();
    return new Mirror(source, await recordsOf(source), head, options);
  }

  /** All current records, by id. */
  get records(): ReadonlyMap<string, R> {
    return this.copies;
  }

  private async follow(after: string): Promise<never> {
    for (let cursor = after; ; cursor = await this.source.persist(() => this.beginAgain())) {
      try {
        for await (const event of this.source.follow(cursor)) await this.apply(event);
      } catch (error) {
        if (!(error instanceof EventsGoneError)) throw error;
      }
    }
  }

  /** The database may have been restored from a backup, so these records replace newer versions, too. */
  private async beginAgain(): Promise<string> {
    const head = await this.source.head();
    const records = await recordsOf(this.source);
    for (const id of new Set([...this.copies.keys(), ...records.keys()])) this.set(id, records.get(id), undefined);
    return head;
  }

  /**
   * The only door for changes: a copy is replaced by newer versions only, and the changes of an event are applied only to the version that
   * they were made to. Otherwise the copy lacks changes in between, and with the eTag of the event it would be a version that never existed.
   */
  private async apply(event: Event): Promise<void> {
    // Erasures only affect earlier versions, which a mirror does not have.
    if (event.type.endsWith('.erased')) return;
    const { resourceID: id } = event.data;
    const known = this.copies.get(id);
    const isKnown = isKnownChange(event) || event.type.endsWith('.deleted');
    if (isKnown && known !== undefined && event.time <= known.updatedAt) return;
    if (event.type.endsWith('.deleted')) this.set(id, undefined, event);
    else if (known === undefined && isKnownChange(event) && !mayEnter(event, this.source.filter)) return;
    else {
      const newer = (known && changed(known, event)) ?? (await this.read(id, event.time));
      if (newer === undefined || known === undefined || newer.updatedAt > known.updatedAt) this.set(id, newer, event);
    }
  }

  /**
   * The record at this version or a later one. Undefined if it was deleted; an event for that will follow. After several older responses it
   * takes one: the database may have been restored from a backup, which the feed will report.
   */
  private async read(id: string, time: string): Promise<R | undefined> {
    let reads = 0;
    return this.source.persist(async () => {
      try {
        const record = await this.source.read(id);
        reads += 1;
        if (record.updatedAt >= time || reads > MAX_OLD_READS) return record;
      } catch (error) {
        if (isProblem(error, 'NOT_FOUND')) return undefined;
        throw error;
      }
      // Something between client and service has kept an old response.
      throw new NoAnswerError(`The response for the record ${id} is older than its event`);
    });
  }

  private set(id: string, record: R | undefined, event: Event | undefined): void {
    const before = this.copies.get(id);
    const after = record !== undefined && passes(record, this.source.filter) ? record : undefined;
    if (before?.eTag === after?.eTag) return;
    if (after === undefined) this.copies.delete(id);
    else this.copies.set(id, after);
    this.onChange?.({ id, before, after, event });
  }
}

/** A newer service may report unknown changes. Then the record must be read. */
function isKnownChange({ type }: Event): boolean {
  return ['created', 'restored', 'updated', 'statusChanged'].some((change) => type.endsWith(`.${change}`));
}

async function recordsOf<R extends Mirrored>(source: MirrorSource<R>): Promise<Map<string, R>> {
  const records = new Map<string, R>();
  for await (const record of source.list()) {
    // A list can contain a record twice if it changes while the list is read.
    const known = records.get(record.id);
    if (known === undefined || known.updatedAt < record.updatedAt) records.set(record.id, record);
  }
  return records;
}

function passes(record: object, filter: FieldFilter): boolean {
  const values = new Map<string, unknown>(Object.entries(record));
  return Object.entries(filter).every(([field, accepts]) => accepts(values.get(field)));
}

/** Its changes have all values that are not null. */
function isFirstVersion(type: string): boolean {
  return type.endsWith('.created') || type.endsWith('.restored');
}

/** Whether a record may match after a change: a filtered field changed, and no new value contradicts the filter. */
function mayEnter({ type, data: { changes, truncated, erased } }: Event, filter: FieldFilter): boolean {
  if (erased === true) return true;
  const asked = changes.filter(({ field }) => field in filter);
  if (asked.length === 0) return isFirstVersion(type) || Object.keys(filter).length === 0;
  return truncated === true || asked.every(({ field, to }) => filter[field]?.(to));
}

/** Applies an event to the version that it follows. Returns undefined for another version, and if the event lacks details. */
function changed<R extends Mirrored>(record: R, event: Event): R | undefined {
  const { time, data } = event;
  if (!isKnownChange(event) || data.previousETag !== record.eTag) return undefined;
  if (data.truncated === true || data.erased === true || data.eTag === null) return undefined;
  const changes = data.changes.map(({ field, to }) => ({ field, current: to }));
  const merged = withChanges(record, data.eTag, changes, []);
  return merged && ({ ...merged, updatedAt: time } as unknown as R);
}
