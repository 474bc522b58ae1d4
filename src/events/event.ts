import { changesBetween, valuesOfRow } from '../history/changes.js';
import { collectionName, type Resource } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../shipments/shipment-relations.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import { writeCursor, type Cursor } from './cursor.js';

/** An event larger than this carries only the names of the changed fields. */
const MOST_BYTES = 16_384;

/** As many digits as the largest number has, so that texts sort as their numbers do. */
const SEQUENCE_DIGITS = 19;

const OF_SHIPMENTS: readonly Resource[] = [SHIPMENTS, ...CHILDREN_OF_SHIPMENTS];

type Row = Record<string, unknown>;

/** An event as it comes from the database. Without a kind, its entry of history was moved out. */
export interface EventRow {
  readonly number: string;
  readonly seal: string;
  readonly kind: string | null;
  readonly recordID: string;
  readonly rootID: string;
  readonly moveID: string | null;
  readonly type: string;
  readonly eTag: string | null;
  readonly changedBy: string;
  readonly changedAt: string;
  readonly requestID: string | null;
  readonly record: Row | null;
  readonly before: Row | null;
}

/** What is needed to tell of a record's changes. */
export interface EventSource {
  /** Where events come from, as CloudEvents calls it. */
  readonly source: string;
  /** Undefined for a kind that only a later version of the service knows. */
  resourceOf(kind: string): Resource | undefined;
  fieldsOf(resource: Resource): ReadonlyMap<string, string>;
}

/** A numbered change, as a CloudEvent in JSON that is ready to be sent, and what filters ask of it. */
export class Event implements Cursor {
  private sent: Buffer | undefined;

  private constructor(
    readonly number: number,
    readonly seal: string,
    /** Undefined when this version of the service does not know its kind; nobody is told of such an event. */
    readonly resource: Resource | undefined,
    readonly type: string,
    readonly recordID: string,
    readonly rootID: string,
    readonly moveID: string | null,
    readonly json: string,
  ) {}

  static from(row: EventRow & { readonly kind: string }, about: EventSource): Event {
    const number = Number(row.number);
    const resource = about.resourceOf(row.kind);
    const type = `${row.kind}.${row.type}`;
    const make = (json: string) =>
      new Event(number, row.seal, resource, type, row.recordID, row.rootID, row.moveID, json);
    if (resource === undefined) return make('');
    const fields = about.fieldsOf(resource);
    const changes = changesBetween(valuesOfRow(fields, row.before), valuesOfRow(fields, row.record));
    const cloudEvent = (data: object) =>
      JSON.stringify({
        specversion: '1.0',
        id: writeCursor({ number, seal: row.seal }),
        source: about.source,
        type,
        subject: `${collectionName(resource)}/${row.recordID}`,
        time: row.changedAt,
        sequence: row.number.padStart(SEQUENCE_DIGITS, '0'),
        datacontenttype: 'application/json',
        data: {
          resource: row.kind,
          resourceID: row.recordID,
          shipmentID: OF_SHIPMENTS.includes(resource) ? row.rootID : null,
          moveID: row.moveID,
          eTag: row.eTag,
          changedBy: row.changedBy,
          requestID: row.requestID,
          ...data,
        },
      });
    const whole = cloudEvent({ changes });
    const json =
      Buffer.byteLength(whole) <= MOST_BYTES
        ? whole
        : cloudEvent({ changes: changes.map(({ field }) => ({ field })), truncated: true });
    return make(json);
  }

  /** As a server-sent event, encoded once for all streams. */
  get frame(): Buffer {
    return (this.sent ??= Buffer.from(`id: ${writeCursor(this)}\ndata: ${this.json}\n\n`));
  }
}
