import { changesOf, knowsBefore, type FieldsByColumn } from '../history/changes.js';
import { isoOf } from '../records/moments.js';
import { collectionName, type Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../model/relations.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { writeCursor, type Cursor } from './cursor.js';

/** Larger events contain only the names of the changed fields. */
const MAX_BYTES = 16_384;

/** Pads to the digits of the largest number, so that texts sort like numbers. */
const SEQUENCE_DIGITS = 19;

/** Places in an EntryRow. */
const [ETAG, RECORD] = [3, 7] as const;

const OF_SHIPMENTS: readonly Resource[] = [SHIPMENTS, ...CHILDREN_OF_SHIPMENTS];

/** An event as the database returns it. Missing values are empty. */
export type EventRow = readonly [
  number: string,
  seal: string,
  kind: string,
  /** For example `shipment.created`. */
  type: string,
  recordID: string,
  rootID: string,
  moveID: string,
  /** JSON. */
  moment: string,
  /** Of its history entry. */
  position: string,
  /** Of the entry before it. */
  beforePosition: string,
];

/** A history entry as the database returns it. Missing values are empty. */
export type EntryRow = readonly [
  position: string,
  recordID: string,
  type: string,
  eTag: string,
  /** JSON. */
  changedBy: string,
  /** JSON. */
  requestID: string,
  /** Not empty if values or the author were erased. */
  erased: string,
  /** The stored row as JSON; missing after a deletion. */
  record: string,
];

/** What the events of a kind show of a record. */
export interface EventKind {
  readonly resource: Resource;
  readonly fields: FieldsByColumn;
}

/** A numbered change as CloudEvent JSON, with the properties that filters use. */
export class Event implements Cursor {
  readonly number: number;
  readonly seal: string;
  readonly kind: string;
  readonly type: string;
  readonly recordID: string;
  readonly rootID: string;
  /** Empty when there is none. */
  readonly moveID: string;
  /** Whether its entry of history was moved out: it has nothing to say, and is not sent. */
  readonly isArchived: boolean;
  readonly json: string;
  private readonly id: string;
  private sent: Buffer | undefined;

  /**
   * `entry` is missing if it was archived, and `before`, the entry before it, also if there was none. Without its `shown` kind, which only a
   * later version knows, an event has no values.
   */
  constructor(
    row: EventRow,
    entry: EntryRow | undefined,
    before: EntryRow | undefined,
    shown: EventKind | undefined,
    source: string,
  ) {
    const [number, seal, kind, type, recordID, rootID, moveID] = row;
    this.number = Number(number);
    this.seal = seal;
    this.kind = kind;
    this.type = type;
    this.recordID = recordID;
    this.rootID = rootID;
    this.moveID = moveID;
    this.isArchived = entry === undefined;
    this.id = writeCursor(this);
    this.json = entry === undefined ? '' : this.render(row, entry, before, shown, source);
  }

  /** The same event for a caller who may not read this kind of record. */
  withoutValues(): Event {
    const { data, ...envelope } = JSON.parse(this.json) as { data: object };
    const json = JSON.stringify({ ...envelope, data: { ...data, changes: [], truncated: true } });
    return Object.assign(Object.create(Event.prototype) as Event, this, { json, sent: undefined });
  }

  /** The server-sent event, encoded once for all streams. */
  get frame(): Buffer {
    return (this.sent ??= Buffer.from(`id: ${this.id}\ndata: ${this.json}\n\n`));
  }

  /** Builds the JSON as text, which is faster: only user input needs escaping. */
  private render(
    row: EventRow,
    entry: EntryRow,
    before: EntryRow | undefined,
    shown: EventKind | undefined,
    source: string,
  ): string {
    const [number, , kind, type, recordID, rootID, moveID, moment] = row;
    const [, , entryType, eTag, changedBy, requestID, erased, record] = entry;
    const change = { type: entryType, row: record || null, before: before && (before[RECORD] || null) };
    const shipmentID = shown !== undefined && OF_SHIPMENTS.includes(shown.resource) ? rootID : '';
    const collection = shown === undefined ? kind : collectionName(shown.resource);
    // An erasure follows no version.
    const hasPrevious = entryType !== 'erased' && knowsBefore(change);
    const envelope =
      `{"specversion":"1.0","id":"${this.id}","source":${source},"type":"${type}",` +
      `"subject":"${collection}/${recordID}","time":"${isoOf(moment)}",` +
      `"sequence":"${number.padStart(SEQUENCE_DIGITS, '0')}","datacontenttype":"application/json",` +
      `"data":{"resource":"${kind}","resourceID":"${recordID}","shipmentID":${quoted(shipmentID)},` +
      `"moveID":${quoted(moveID)},"eTag":${quoted(eTag)},` +
      (hasPrevious ? `"previousETag":${quoted(before?.[ETAG] ?? '')},` : '') +
      `"changedBy":${changedBy},"requestID":${requestID || 'null'}`;
    const end = erased === '' ? '}}' : ',"erased":true}}';
    const changes = shown === undefined ? '' : changesOf(change, shown.fields);
    const whole = `${envelope},"changes":[${changes}]${end}`;
    if (shown !== undefined && isWithin(MAX_BYTES, whole)) return whole;
    const names = (JSON.parse(`[${changes}]`) as { field: string }[]).map(({ field }) => ({ field }));
    return `${envelope},"changes":${JSON.stringify(names)},"truncated":true${end}`;
  }
}

function quoted(text: string): string {
  return text === '' ? 'null' : `"${text}"`;
}

/** A character takes three bytes at most, so most texts need not be looked through. */
function isWithin(bytes: number, text: string): boolean {
  return 3 * text.length <= bytes || Buffer.byteLength(text) <= bytes;
}
