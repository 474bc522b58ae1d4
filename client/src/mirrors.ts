import { Events } from './events.js';
import { isUUID, RECORD, recordOf } from './expected.js';
import { persistently } from './follow.js';
import type { Http } from './http.js';
import { Mirror, type FieldFilter, type Mirrored, type MirrorOptions } from './mirror.js';
import type { Move, MoveFilter, Shipment, ShipmentFilter } from './records.js';
import { listOf, type ListOptions } from './versioned-records.js';

export type MoveMirrorOptions = MoveFilter & MirrorOptions<Move>;
export type ShipmentMirrorOptions = ShipmentFilter & MirrorOptions<Shipment>;

const MAX_PAGE = 200;

export function mirrorMoves(http: Http, options: MoveMirrorOptions): Promise<Mirror<Move>> {
  const { orderID } = options;
  const filter: FieldFilter = orderID === undefined ? {} : { orderID: (value) => value === orderID };
  return mirror(http, 'move', filter, options);
}

export async function mirrorShipments(http: Http, options: ShipmentMirrorOptions): Promise<Mirror<Shipment>> {
  const { moveID: move, status, shipmentType } = options;
  const moveID = move === undefined ? undefined : await moveIDOf(http, move, options);
  const filter: FieldFilter = {
    ...(moveID !== undefined && { moveID: (value) => value === moveID }),
    ...(status !== undefined && { status: (value) => status.some((each) => each === value) }),
    ...(shipmentType !== undefined && { shipmentType: (value) => value === shipmentType }),
    ...within('pickupDate', options.pickupDateFrom, options.pickupDateTo),
    ...within('deliveryDate', options.deliveryDateFrom, options.deliveryDateTo),
  };
  return mirror(http, 'shipment', filter, options);
}

function within(field: string, from: string | undefined, to: string | undefined): FieldFilter {
  if ((from ?? to) === undefined) return {};
  return { [field]: (value) => typeof value === 'string' && (from ?? value) <= value && value <= (to ?? value) };
}

/** Shipments contain the id of their move, not its code. */
async function moveIDOf(http: Http, move: string, { signal, headers }: ShipmentMirrorOptions): Promise<string> {
  if (isUUID(move)) return move.toLowerCase();
  const path = `/v1/moves/${encodeURIComponent(move)}`;
  return (await http.call<Move>({ method: 'GET', path, expected: RECORD, signal, headers })).id;
}

function mirror<R extends Mirrored>(
  http: Http,
  resource: 'move' | 'shipment',
  filter: FieldFilter,
  { onChange, ...query }: MirrorOptions<R>,
): Promise<Mirror<R>> {
  const { signal, headers } = query;
  const pages: ListOptions = { ...query, limit: MAX_PAGE };
  const events = new Events(http);
  const source = {
    filter,
    head: () => events.head({ signal, headers }),
    list: () => listOf<R>(http, `/v1/${resource}s`, pages),
    read: (id: string) =>
      http.call<R>({ method: 'GET', path: `/v1/${resource}s/${id}`, expected: recordOf(id), signal, headers }),
    persist: <T>(call: () => Promise<T>) => persistently(http, signal, call),
    // Not only events that match the filter: the mirror must see a record that stops matching.
    follow: (after: string) => events.follow({ after, resource: [resource], signal, headers }),
  };
  return Mirror.start(source, { onChange, signal, headers });
}
