import { EventsGoneError, isProblem } from './errors.js';
import type { CallOptions } from './http.js';
import { withChanges } from './merge.js';
import type { Event, Versioned } from './records.js';

/** What a mirror can hold: a record with a time of its last change. */
export interface Mirrored extends Versioned {
  readonly updatedAt: string;
}

export interface MirrorChange<R> {
  readonly id: string;
  /** Undefined when the mirror did not have it. */
  readonly before: R | undefined;
  /** Undefined when it was deleted, or no longer matches the filter. */
  readonly after: R | undefined;
  /** What happened; undefined when the mirror had to begin again, because the events it needed are gone. */
  readonly event: Event | undefined;
}

export interface MirrorOptions<R> extends CallOptions {
  /** Called after each change of the mirror. */
  readonly onChange?: ((change: MirrorChange<R>) => void) | undefined;
}

/** How a mirror gets to records and events of its kind. */
export interface MirrorSource<R> {
  head(): Promise<string>;
  /** All that match the filter. */
  list(): AsyncIterable<R>;
  read(id: string): Promise<R>;
  follow(after: string): AsyncIterable<Event>;
  /** The same filter, for one record. */
  readonly filter: FieldFilter;
}

/** Whether the value of a field matches, for each field that is asked for. */
export type FieldFilter = Readonly<Record<string, (value: unknown) => boolean>>;

/** A copy of all records of one kind that match a filter, which follows every change. */
export class Mirror<R extends Mirrored> {
  /** Settles when the mirror no longer follows: resolves after its signal, rejects when it cannot go on. */
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
   * Takes the place where the feed is, and reads all records after that: what changes while they are read comes once more as an event. So
   * nothing is missed, and a change that a record already has is known by its time.
   */
  static async start<R extends Mirrored>(source: MirrorSource<R>, options: MirrorOptions<R>): Promise<Mirror<R>> {
    const head = await source.head();
    return new Mirror(source, await recordsOf(source), head, options);
  }

  /** All records as they are now, by id. */
  get records(): ReadonlyMap<string, R> {
    return this.copies;
  }

  private async follow(after: string): Promise<never> {
    for (let cursor = after; ; cursor = await this.beginAgain()) {
      try {
        for await (const event of this.source.follow(cursor)) await this.apply(event);
      } catch (error) {
        if (!(error instanceof EventsGoneError)) throw error;
      }
    }
  }

  private async beginAgain(): Promise<string> {
    const head = await this.source.head();
    const records = await recordsOf(this.source);
    for (const id of new Set([...this.copies.keys(), ...records.keys()])) this.set(id, records.get(id), undefined);
    return head;
  }

  private async apply(event: Event): Promise<void> {
    // What was erased is what records once were, and a mirror has only what they are.
    if (event.type.endsWith('.erased')) return;
    const { resourceID: id } = event.data;
    const known = this.copies.get(id);
    if (event.type.endsWith('.deleted')) this.set(id, undefined, event);
    else if (!isKnownChange(event)) this.set(id, await this.read(id), event);
    else if (known === undefined) {
      if (mayEnter(event, this.source.filter)) this.set(id, await this.read(id), event);
    } else if (known.updatedAt < event.time) {
      this.set(id, changed(known, event) ?? (await this.read(id)), event);
    }
  }

  /** Undefined when it was deleted meanwhile; an event for that will follow. */
  private async read(id: string): Promise<R | undefined> {
    try {
      return await this.source.read(id);
    } catch (error) {
      if (isProblem(error, 'NOT_FOUND')) return undefined;
      throw error;
    }
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

/** A newer service may report other changes. What such a change does to the record, only the record says. */
function isKnownChange({ type }: Event): boolean {
  return ['created', 'updated', 'statusChanged'].some((change) => type.endsWith(`.${change}`));
}

async function recordsOf<R extends Mirrored>(source: MirrorSource<R>): Promise<Map<string, R>> {
  const records = new Map<string, R>();
  for await (const record of source.list()) records.set(record.id, record);
  return records;
}

function passes(record: object, filter: FieldFilter): boolean {
  const values = new Map<string, unknown>(Object.entries(record));
  return Object.entries(filter).every(([field, accepts]) => accepts(values.get(field)));
}

/** Whether a record that did not match may match after a change: a field that is asked for has a new value, and none has a wrong one. */
function mayEnter({ type, data: { changes, truncated, erased } }: Event, filter: FieldFilter): boolean {
  if (erased === true) return true;
  const asked = changes.filter(({ field }) => field in filter);
  if (asked.length === 0) return type.endsWith('.created') || Object.keys(filter).length === 0;
  return truncated === true || asked.every(({ field, to }) => filter[field]?.(to));
}

/** The record with the changes of an event; undefined when the event does not tell enough. */
function changed<R extends Mirrored>(record: R, { time, data }: Event): R | undefined {
  if (data.truncated === true || data.erased === true || data.eTag === null) return undefined;
  const changes = data.changes.map(({ field, to }) => ({ field, current: to }));
  const merged = withChanges(record, data.eTag, changes);
  return merged && ({ ...merged, updatedAt: time } as unknown as R);
}
