import { collectionName, type Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../model/relations.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { writeCursor, type Cursor } from './cursor.js';

/** Larger events contain only the names of the changed fields. */
const MAX_BYTES = 16_384;

/** Pads to the digits of the largest number, so that texts sort like numbers. */
const SEQUENCE_DIGITS = 19;

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
  time: string,
  eTag: string,
  /** JSON; missing if the previous entry was archived or erased. */
  previousETag: string,
  /** JSON; missing if the history entry was archived. */
  changedBy: string,
  /** JSON. */
  requestID: string,
  /** Not empty if values or the author were erased. */
  erased: string,
  /** The members of a JSON array; missing for a kind that only a later version knows. */
  changes: string,
];

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

  constructor(row: EventRow, resources: ReadonlyMap<string, Resource>, source: string) {
    const [number, seal, kind, type, recordID, rootID, moveID, , , , changedBy] = row;
    this.number = Number(number);
    this.seal = seal;
    this.kind = kind;
    this.type = type;
    this.recordID = recordID;
    this.rootID = rootID;
    this.moveID = moveID;
    this.isArchived = changedBy === '';
    this.id = writeCursor(this);
    this.json = this.isArchived ? '' : this.render(row, resources.get(kind), source);
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

  /**
   * Builds the JSON as text, which is faster: only user input needs escaping. Without a resource, the kind is known only to a later
   * version, so its visible columns are unknown, and it has no values.
   */
  private render(row: EventRow, resource: Resource | undefined, source: string): string {
    const [number, , kind, type, recordID, rootID, moveID, time, eTag, previousETag, ...values] = row;
    const [changedBy, requestID, erased, changes] = values;
    const shipmentID = resource !== undefined && OF_SHIPMENTS.includes(resource) ? rootID : '';
    const collection = resource === undefined ? kind : collectionName(resource);
    const envelope =
      `{"specversion":"1.0","id":"${this.id}","source":${source},"type":"${type}",` +
      `"subject":"${collection}/${recordID}","time":"${time}",` +
      `"sequence":"${number.padStart(SEQUENCE_DIGITS, '0')}","datacontenttype":"application/json",` +
      `"data":{"resource":"${kind}","resourceID":"${recordID}","shipmentID":${quoted(shipmentID)},` +
      `"moveID":${quoted(moveID)},"eTag":${quoted(eTag)},` +
      (previousETag && `"previousETag":${previousETag},`) +
      `"changedBy":${changedBy},"requestID":${requestID || 'null'}`;
    const end = erased === '' ? '}}' : ',"erased":true}}';
    const whole = `${envelope},"changes":[${changes}]${end}`;
    if (resource !== undefined && isWithin(MAX_BYTES, whole)) return whole;
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
