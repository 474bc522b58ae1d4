import type { components, operations } from './api.js';

type Schemas = components['schemas'];

export type Move = Schemas['Move'];
export type NewMove = Schemas['NewMove'];
export type MovePatch = Schemas['MovePatch'];
export type MoveReplacement = Schemas['MoveReplacement'];
export type MoveQuery = ListQuery<'listMoves'>;
export type MoveExportQuery = Omit<MoveQuery, 'limit'>;
/** What can be asked of one move, whatever the others are. */
export type MoveFilter = Pick<MoveQuery, 'orderID'>;

export type Shipment = Schemas['Shipment'];
export type NewShipment = Schemas['NewShipment'];
export type ShipmentPatch = Schemas['ShipmentPatch'];
export type ShipmentReplacement = Schemas['ShipmentReplacement'];
export type ShipmentQuery = ListQuery<'listShipments'>;
export type ShipmentExportQuery = Omit<ShipmentQuery, 'limit'>;
/** What can be asked of one shipment, whatever the others are. */
export type ShipmentFilter = Omit<ShipmentQuery, 'limit' | 'sort' | 'updatedSince'>;
export type ShipmentRelation = Relation<'listShipments'>;
export type StatusChange = Schemas['StatusChange'];
export type ShipmentStatus = Shipment['status'];

export type Bulk = Schemas['Bulk'];
export type BulkAnswer = Schemas['BulkAnswer'];
/** One of the writes of a bulk. */
export type BulkItem = Bulk['items'][number];
/** What became of it. */
export type BulkResult = BulkAnswer['items'][number];
export type BulkProblem = NonNullable<BulkResult['problem']>;

export type Address = Schemas['Address'];
export type NewAddress = Schemas['NewAddress'];
export type AddressPatch = Schemas['AddressPatch'];
export type AddressReplacement = Schemas['AddressReplacement'];

export type Agent = Schemas['Agent'];
export type AgentType = Agent['agentType'];
export type NewAgent = Schemas['NewAgent'];
export type AgentPatch = Schemas['AgentPatch'];
export type AgentReplacement = Schemas['AgentReplacement'];

export type Service = Schemas['Service'];
export type NewService = Schemas['NewService'];
export type ServicePatch = Schemas['ServicePatch'];
export type ServiceReplacement = Schemas['ServiceReplacement'];

export type Import = Schemas['Import'];
/** The import that an upload has made, with the first faults and the first changes. */
export type DryRun = Schemas['DryRun'];
/** What a row of an import would do, or what became of it. */
export type ImportRow = Schemas['ImportRow'];
export type ImportRowsQuery = Readonly<
  Omit<NonNullable<operations['listImportRows']['parameters']['query']>, 'cursor'>
>;

export type HistoryEntry = Schemas['HistoryEntry'];
export type HistoryEntryType = HistoryEntry['type'];
export type ResourceKind = HistoryEntry['resource'];

export type Event = Schemas['Event'];
export type EventType = Event['type'];
export type EventQuery = Readonly<NonNullable<operations['listEvents']['parameters']['query']>>;
/** Which events are wanted; without any of these, all of them. */
export type EventFilter = Omit<EventQuery, 'after' | 'limit' | 'wait'>;

/** What every record has: its name, and the version that it was read in. */
export interface Versioned {
  readonly id: string;
  readonly eTag: string;
}

/**
 * A record as a change sees it. After a 412 it is put together from what the service reports, which leaves out `updatedAt`; the version is
 * told by `eTag`.
 */
export type Current<R> = Omit<R, 'updatedAt'>;

/** A record with the related ones that `expand` asked for, which are optional otherwise. */
export type Expanded<R, E extends keyof R> = R & Required<Pick<R, E | NextName<R, E>>>;

/** The member that has the address of those that are not inside. */
type NextName<R, E> = E extends string ? `${E}Next` & keyof R : never;

/** The relations of a record to several others. */
export type ToMany<R, E> = E extends keyof R ? (NextName<R, E> extends never ? never : E) : never;

/** One of these others. */
export type Child<R, E extends keyof R> = NonNullable<R[E]> extends readonly (infer C)[] ? C : never;

/** What `expand` can put inside the records of a list. */
type Relation<O extends 'listShipments'> = NonNullable<
  NonNullable<operations[O]['parameters']['query']>['expand']
>[number];

/** The filters and the order of a list, without the place of a page in it. */
type ListQuery<O extends 'listMoves' | 'listShipments'> = Readonly<
  Omit<NonNullable<operations[O]['parameters']['query']>, 'cursor' | 'expand' | 'excel'>
>;
