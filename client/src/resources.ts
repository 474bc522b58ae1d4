import { Addresses } from './addresses.js';
import { Events } from './events.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import type { Mirror } from './mirror.js';
import { mirrorMoves, mirrorShipments, type MoveMirrorOptions, type ShipmentMirrorOptions } from './mirrors.js';
import type * as Api from './records.js';
import type { Expanded, Versioned } from './records.js';
import type { Change, UpdateOptions } from './update.js';
import {
  listOf,
  Records,
  RecordsWithHistory,
  type Expansion,
  type ListOptions,
  type WriteOptions,
} from './versioned-records.js';

/** Moves, by their id or their moveCode. */
export class Moves extends RecordsWithHistory<Api.Move, Api.MovePatch, Api.MoveReplacement, 'shipments'> {
  constructor(http: Http) {
    super(http, '/v1/moves');
  }

  list<const X extends 'shipments' = never>(
    query: Api.MoveQuery & Expansion<X> & CallOptions = {},
  ): List<Expanded<Api.Move, X>> {
    return listOf(this.http, '/v1/moves', query);
  }

  /** A live copy of all moves that match. It is complete when it is given out. */
  mirror(options: MoveMirrorOptions = {}): Promise<Mirror<Api.Move>> {
    return mirrorMoves(this.http, options);
  }

  create(move: Api.NewMove, options: WriteCallOptions = {}): Promise<Api.Move> {
    return this.http.call<Api.Move>({ method: 'POST', path: '/v1/moves', body: move, ...options });
  }
}

export class Shipments extends RecordsWithHistory<
  Api.Shipment,
  Api.ShipmentPatch,
  Api.ShipmentReplacement,
  Api.ShipmentRelation
> {
  constructor(http: Http) {
    super(http, '/v1/shipments');
  }

  list<const X extends Api.ShipmentRelation = never>(
    query: Api.ShipmentQuery & Expansion<X> & CallOptions = {},
  ): List<Expanded<Api.Shipment, X>> {
    return listOf(this.http, '/v1/shipments', query);
  }

  /**
   * A live copy of all shipments that match. It is complete when it is given out. Agents and services have versions of their own and are not
   * part of it; addresses are.
   */
  mirror(options: ShipmentMirrorOptions = {}): Promise<Mirror<Api.Shipment>> {
    return mirrorShipments(this.http, options);
  }

  /** Without a `moveID` the shipment gets a move of its own. */
  create(shipment: Api.NewShipment, options: WriteCallOptions = {}): Promise<Api.Shipment> {
    return this.http.call<Api.Shipment>({ method: 'POST', path: '/v1/shipments', body: shipment, ...options });
  }

  /** Like `update`, for the status. */
  updateStatus(
    target: string | Api.Shipment,
    change: Change<Api.Shipment, Api.StatusChange>,
    options: UpdateOptions<Api.Shipment, Api.StatusChange> = {},
  ): Promise<Api.Shipment> {
    return this.updateBy((id, status, version) => this.patchStatus(id, status, version), target, change, options);
  }

  /** Like `patch`, for the status. */
  patchStatus(id: string, body: Api.StatusChange, options: WriteOptions): Promise<Api.Shipment> {
    const path = `/${this.http.prefix}${this.pathOf(id)}/updateStatus`;
    return this.http.call<Api.Shipment>({ method: 'PATCH', path, body, ...options });
  }
}

/** Records that belong to a shipment: listed and created there, then reached by their own id. */
abstract class PartsOfShipment<R extends Versioned, New, P, Replacement> extends Records<R, P, Replacement> {
  constructor(
    http: Http,
    private readonly name: string,
  ) {
    super(http, `/v1/${name}`);
  }

  list(shipmentID: string, options: ListOptions = {}): List<R> {
    return listOf(this.http, this.pathUnder(shipmentID), options);
  }

  create(shipmentID: string, body: New, options: WriteCallOptions = {}): Promise<R> {
    return this.http.call<R>({ method: 'POST', path: this.pathUnder(shipmentID), body, ...options });
  }

  private pathUnder(shipmentID: string): string {
    return `/v1/shipments/${encodeURIComponent(shipmentID)}/${this.name}`;
  }
}

export class Agents extends PartsOfShipment<Api.Agent, Api.NewAgent, Api.AgentPatch, Api.AgentReplacement> {}

export class Services extends PartsOfShipment<Api.Service, Api.NewService, Api.ServicePatch, Api.ServiceReplacement> {}

/** Every kind of record that the service has. */
export class Resources {
  readonly moves: Moves;
  readonly shipments: Shipments;
  readonly addresses: Addresses;
  readonly agents: Agents;
  readonly services: Services;
  readonly events: Events;

  constructor(http: Http) {
    this.moves = new Moves(http);
    this.shipments = new Shipments(http);
    this.addresses = new Addresses(http);
    this.agents = new Agents(http, 'agents');
    this.services = new Services(http, 'services');
    this.events = new Events(http);
  }
}
