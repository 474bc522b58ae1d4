import { Addresses } from './addresses.js';
import { RECORD, recordOf, withMembers, type Expected } from './expected.js';
import { Events } from './events.js';
import { Export } from './export.js';
import { Imports } from './imports.js';
import type { CallOptions, Http, WriteCallOptions } from './http.js';
import type { List } from './list.js';
import type { Mirror } from './mirror.js';
import { mirrorMoves, mirrorShipments, type MoveMirrorOptions, type ShipmentMirrorOptions } from './mirrors.js';
import type * as Api from './records.js';
import type { Expanded, Versioned } from './records.js';
import type { Change, UpdateOptions } from './update.js';
import {
  updateMany,
  type ChangeOfMany,
  type Many,
  type ManyAccess,
  type RefusedUpdate,
  type UpdateManyOptions,
  type UpdateManyReport,
} from './update-many.js';
import { isAnyProblem } from './errors.js';
import {
  listOf,
  MAX_IN_PAGE,
  Records,
  RecordsWithHistory,
  undelete,
  type Expansion,
  type ListOptions,
  type WriteOptions,
} from './versioned-records.js';
import { Keys } from './key-records.js';
import { Webhooks } from './webhook-records.js';

/** Moves, by id or moveCode. */
export class Moves extends RecordsWithHistory<Api.Move, Api.MovePatch, Api.MoveReplacement, 'shipments'> {
  protected override readonly unreported = ['updatedAt', 'shipments', 'shipmentsNext'];

  constructor(http: Http) {
    super(http, '/v1/moves');
  }

  list<const X extends 'shipments' = never>(
    query: Api.MoveQuery & Expansion<X> & CallOptions = {},
  ): List<Expanded<Api.Move, X>> {
    return listOf(this.http, '/v1/moves', query);
  }

  /** A snapshot of all matching moves, as records or as a file. */
  export(query: Api.MoveExportQuery & CallOptions = {}): Export<Api.Move> {
    return new Export(this.http, '/v1/moves', query);
  }

  /** A live copy of all matching moves, complete when the promise resolves. */
  mirror(options: MoveMirrorOptions = {}): Promise<Mirror<Api.Move>> {
    return mirrorMoves(this.http, options);
  }

  create(move: Api.NewMove, options: WriteCallOptions = {}): Promise<Api.Move> {
    return this.http.call<Api.Move>({ method: 'POST', path: '/v1/moves', body: move, expected: RECORD, ...options });
  }

  protected override childrenOf<C>(moveID: string, name: 'shipments', options: CallOptions): List<C> {
    const query = { moveID, limit: MAX_IN_PAGE, ...options };
    return listOf(this.http, `/v1/${name}`, query);
  }
}

/** Ids, shipments as read, or a filter. */
export type ManyTargets = readonly (string | Api.Shipment)[] | Api.ShipmentFilter;

function isList(targets: ManyTargets): targets is readonly (string | Api.Shipment)[] {
  return Array.isArray(targets);
}

/** The fields of a shipment that a filter is about. */
function fieldsOf(filter: Api.ShipmentFilter): string[] {
  const given = Object.entries<unknown>(filter).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name.replace(/(?:From|To)$/, ''));
}

export class Shipments extends RecordsWithHistory<
  Api.Shipment,
  Api.ShipmentPatch,
  Api.ShipmentReplacement,
  Api.ShipmentRelation
> {
  protected override readonly unreported = ['updatedAt', 'agents', 'agentsNext', 'services', 'servicesNext', 'move'];

  constructor(http: Http) {
    super(http, '/v1/shipments');
  }

  list<const X extends Api.ShipmentRelation = never>(
    query: Api.ShipmentQuery & Expansion<X> & CallOptions = {},
  ): List<Expanded<Api.Shipment, X>> {
    return listOf(this.http, '/v1/shipments', query);
  }

  /** A snapshot of all matching shipments, as records or as a file. */
  export(query: Api.ShipmentExportQuery & CallOptions = {}): Export<Api.Shipment> {
    return new Export(this.http, '/v1/shipments', query);
  }

  /**
   * A live copy of all matching shipments, complete when the promise resolves. It includes addresses, but not agents and services, which
   * have their own versions.
   */
  mirror(options: ShipmentMirrorOptions = {}): Promise<Mirror<Api.Shipment>> {
    return mirrorShipments(this.http, options);
  }

  /** Without a `moveID` the shipment gets a new move. */
  create(shipment: Api.NewShipment, options: WriteCallOptions = {}): Promise<Api.Shipment> {
    const request = { method: 'POST', path: '/v1/shipments', body: shipment, ...options } as const;
    return this.http.call<Api.Shipment>({ ...request, expected: RECORD });
  }

  /**
   * Writes up to 200 shipments in one request: all or none (with a BULK_REFUSED problem), or with `atomic: false` each on its own. The
   * results are in the order of the items.
   */
  async bulk(
    items: readonly Api.BulkItem[],
    { atomic = true, ...options }: WriteCallOptions & { readonly atomic?: boolean } = {},
  ): Promise<readonly Api.BulkResult[]> {
    const request = { method: 'POST', path: '/v1/shipments/bulk', body: { atomic, items }, ...options } as const;
    const expected: Expected = ({ body }) => {
      const results = (body as Partial<Api.BulkAnswer> | undefined)?.items;
      return Array.isArray(results) && results.length === items.length;
    };
    return (await this.http.call<{ items: Api.BulkResult[] }>({ ...request, expected })).items;
  }

  /**
   * Changes many shipments like `update`: by id, in the given versions, or all that match a filter now. Merges concurrent changes and
   * resends only those shipments. A change of a field of the filter is a conflict. The report has the outcome of each.
   */
  updateMany(
    targets: ManyTargets,
    change: ChangeOfMany<Api.ShipmentPatch>,
    options: UpdateManyOptions<Api.ShipmentPatch> = {},
  ): Promise<UpdateManyReport<Api.ShipmentPatch>> {
    return this.updateManyBy('update', targets, change, options, (patch) => ({ patch }));
  }

  /** Like `updateMany`, for the status. */
  updateStatusMany(
    targets: ManyTargets,
    change: ChangeOfMany<Api.StatusChange>,
    options: UpdateManyOptions<Api.StatusChange> = {},
  ): Promise<UpdateManyReport<Api.StatusChange>> {
    return this.updateManyBy('updateStatus', targets, change, options, (status) => status);
  }

  private async updateManyBy<P>(
    op: Api.BulkItem['op'],
    targets: ManyTargets,
    change: ChangeOfMany<P>,
    options: UpdateManyOptions<P>,
    members: (patch: P) => object,
  ): Promise<UpdateManyReport<P>> {
    const { signal, headers } = options;
    const call = { signal, headers };
    const access: ManyAccess<P> = {
      unreported: this.unreported,
      read: (id, version) => this.get(id, version === undefined ? call : { version, ...call }),
      item: (id, ifMatch, patch) => ({ op, id, ifMatch, ...members(patch) }) as Api.BulkItem,
      send: (items, idempotencyKey) => this.bulk(items, { atomic: false, idempotencyKey, ...call }),
    };
    return updateMany(await this.allOf<P>(targets, call), change, access, options);
  }

  private async allOf<P>(targets: ManyTargets, call: CallOptions): Promise<Many<P>> {
    // A list can contain a shipment twice if it changes while the list is read.
    const shipments = new Map<string, Api.Shipment>();
    const refused: RefusedUpdate<P>[] = [];
    if (!isList(targets)) {
      for await (const shipment of this.list({ ...targets, limit: MAX_IN_PAGE, ...call })) {
        shipments.set(shipment.id, shipment);
      }
      return { shipments: [...shipments.values()], refused, filtered: fieldsOf(targets) };
    }
    for (const target of targets) {
      try {
        const shipment = typeof target === 'string' ? await this.get(target, call) : target;
        shipments.set(shipment.id, shipment);
      } catch (error) {
        if (typeof target !== 'string' || !isAnyProblem(error) || error.status !== 404) throw error;
        refused.push({ id: target, error });
      }
    }
    return { shipments: [...shipments.values()], refused, filtered: [] };
  }

  protected override childrenOf<C>(id: string, name: Api.ShipmentRelation, options: CallOptions): List<C> {
    const query = { limit: MAX_IN_PAGE, ...options };
    return listOf(this.http, `${this.pathOf(id)}/${name}`, query);
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
    return this.http.call<Api.Shipment>({ method: 'PATCH', path, body, expected: recordOf(id), ...options });
  }
}

/** Records that belong to a shipment: listed and created by its id, then accessed by their own. */
abstract class PartsOfShipment<R extends Versioned, New, P, Replacement> extends Records<R, P, Replacement> {
  protected override readonly unreported = ['updatedAt'];

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
    const path = this.pathUnder(shipmentID);
    return this.http.call<R>({ method: 'POST', path, body, expected: RECORD, ...options });
  }

  /** Restores a deleted record. The `deletionETag` is in `client.deletions.list()`. */
  undelete(id: string, deletionETag: string, options: WriteCallOptions = {}): Promise<R> {
    return undelete<R>(this.http, this.pathOf(id), id, deletionETag, options);
  }

  private pathUnder(shipmentID: string): string {
    return `/v1/shipments/${encodeURIComponent(shipmentID)}/${this.name}`;
  }
}

export class Agents extends PartsOfShipment<Api.Agent, Api.NewAgent, Api.AgentPatch, Api.AgentReplacement> {}

export class Services extends PartsOfShipment<Api.Service, Api.NewService, Api.ServicePatch, Api.ServiceReplacement> {}

/** Deleted records, which can be restored. */
export class Deletions {
  constructor(private readonly http: Http) {}

  /** The deletions, newest first, with the last values of the records. */
  list(query: Api.DeletionQuery & CallOptions = {}): List<Api.Deletion> {
    return listOf(this.http, '/v1/deletions', query);
  }
}

/** Every resource of the service. */
export class Resources {
  readonly moves: Moves;
  readonly shipments: Shipments;
  readonly addresses: Addresses;
  readonly agents: Agents;
  readonly services: Services;
  readonly imports: Imports;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly keys: Keys;
  readonly deletions: Deletions;

  constructor(private readonly http: Http) {
    this.moves = new Moves(http);
    this.shipments = new Shipments(http);
    this.addresses = new Addresses(http);
    this.agents = new Agents(http, 'agents');
    this.services = new Services(http, 'services');
    this.imports = new Imports(http);
    this.events = new Events(http);
    this.webhooks = new Webhooks(http);
    this.keys = new Keys(http);
    this.deletions = new Deletions(http);
  }

  /** The numbers of overdue, due and waiting shipments, each with the request that lists them. */
  overview({ signal, headers, ...query }: Api.OverviewQuery & CallOptions = {}): Promise<Api.Overview> {
    const expected = withMembers('today', 'days');
    return this.http.call<Api.Overview>({ method: 'GET', path: '/v1/overview', query, expected, signal, headers });
  }
}
