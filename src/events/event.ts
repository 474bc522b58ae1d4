import type { Change } from '../history/changes.js';
import { collectionName, type Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../shipments/shipment-relations.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { writeCursor, type Cursor } from './cursor.js';

/** An event larger than this carries only the names of the changed fields. */
const MAX_BYTES = 16_384;

/** As many digits as the largest number has, so that texts sort as their numbers do. */
const SEQUENCE_DIGITS = 19;

const OF_SHIPMENTS: readonly Resource[] = [SHIPMENTS, ...CHILDREN_OF_SHIPMENTS];

/** An event as it comes from the database. */
export interface EventRow {
  readonly number: string;
  readonly seal: string;
  readonly kind: string;
  /** Such as `shipment.created`. */
  readonly type: string;
  readonly recordID: string;
  readonly rootID: string;
  readonly moveID: string | null;
  readonly time: string;
  readonly eTag: string | null;
  /** Null when the entry of history was moved out. */
  readonly changedBy: string | null;
  readonly requestID: string | null;
  /** Whether values or the author of the entry were erased. */
  readonly erased: boolean | null;
  /** The members of a JSON array; null for a kind that only a later version of the service knows. */
  readonly changes: string | null;
}

/** A numbered change, as a CloudEvent in JSON that is ready to be sent, and what filters ask of it. */
export class Event implements Cursor {
  readonly number: number;
  readonly seal: string;
  readonly kind: string;
  readonly type: string;
  readonly recordID: string;
  readonly rootID: string;
  readonly moveID: string | null;
  readonly json: string;
  private readonly id: string;
  private sent: Buffer | undefined;

  constructor(row: EventRow, resource: Resource | undefined, source: string) {
    this.number = Number(row.number);
    this.seal = row.seal;
    this.kind = row.kind;
    this.type = row.type;
    this.recordID = row.recordID;
    this.rootID = row.rootID;
    this.moveID = row.moveID;
    this.id = writeCursor(this);
    this.json = this.render(row, resource, source);
  }

  /** As a server-sent event, encoded once for all streams. */
  get frame(): Buffer {
    return (this.sent ??= Buffer.from(`id: ${this.id}\ndata: ${this.json}\n\n`));
  }

  /**
   * Written as text: only what people choose needs escaping, and a page renders a hundred of them. Without a resource, the kind is one
   * that only a later version knows. Nothing says which of its columns a client may see, so it has no values.
   */
  private render(row: EventRow, resource: Resource | undefined, source: string): string {
    const shipmentID = resource !== undefined && OF_SHIPMENTS.includes(resource) ? row.rootID : null;
    const collection = resource === undefined ? row.kind : collectionName(resource);
    const envelope =
      `{"specversion":"1.0","id":"${this.id}","source":${JSON.stringify(source)},"type":"${row.type}",` +
      `"subject":"${collection}/${row.recordID}","time":"${row.time}",` +
      `"sequence":"${row.number.padStart(SEQUENCE_DIGITS, '0')}","datacontenttype":"application/json",` +
      `"data":{"resource":"${row.kind}","resourceID":"${row.recordID}","shipmentID":${quoted(shipmentID)},` +
      `"moveID":${quoted(row.moveID)},"eTag":${quoted(row.eTag)},` +
      `"changedBy":${JSON.stringify(row.changedBy)},"requestID":${JSON.stringify(row.requestID)}`;
    const end = row.erased === true ? ',"erased":true}}' : '}}';
    const changes = `[${row.changes ?? ''}]`;
    const whole = `${envelope},"changes":${changes}${end}`;
    if (resource !== undefined && Buffer.byteLength(whole) <= MAX_BYTES) return whole;
    const names = (JSON.parse(changes) as Change[]).map(({ field }) => ({ field }));
    return `${envelope},"changes":${JSON.stringify(names)},"truncated":true${end}`;
  }
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}
