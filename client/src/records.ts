import type { components, operations } from './api.js';

type Schemas = components['schemas'];

export type Move = Schemas['Move'];
export type NewMove = Schemas['NewMove'];
export type MovePatch = Schemas['MovePatch'];
export type MoveReplacement = Schemas['MoveReplacement'];
export type MoveQuery = ListQuery<'listMoves'>;
export type MoveExportQuery = Omit<MoveQuery, 'limit' | 'count'>;
/** The filters that apply to a single move. */
export type MoveFilter = Pick<MoveQuery, 'orderID'>;

export type Shipment = Schemas['Shipment'];
export type NewShipment = Schemas['NewShipment'];
export type ShipmentPatch = Schemas['ShipmentPatch'];
export type ShipmentReplacement = Schemas['ShipmentReplacement'];
export type ShipmentQuery = ListQuery<'listShipments'>;
export type ShipmentExportQuery = Omit<ShipmentQuery, 'limit' | 'count'>;
/** The filters that apply to a single shipment. */
export type ShipmentFilter = Omit<ShipmentQuery, 'limit' | 'sort' | 'updatedSince' | 'q' | 'count'>;
export type ShipmentRelation = Relation<'listShipments'>;
export type StatusChange = Schemas['StatusChange'];
export type ShipmentStatus = Shipment['status'];

export type Bulk = Schemas['Bulk'];
export type BulkAnswer = Schemas['BulkAnswer'];
/** One write of a bulk. */
export type BulkItem = Bulk['items'][number];
/** Its result. */
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

export type Overview = Schemas['Overview'];
/** A number of an overview, with the request that lists what was counted. */
export type OverviewCount = Overview['waitingForApproval'];
export type OverviewQuery = Readonly<NonNullable<operations['readOverview']['parameters']['query']>>;

export type Import = Schemas['Import'];
/** The import created by an upload, with the first errors and changes. */
export type DryRun = Schemas['DryRun'];
/** A row of an import with its planned or actual outcome. */
export type ImportRow = Schemas['ImportRow'];
/** How the upload of a file says to read dates and numbers. */
export type UploadQuery = NonNullable<operations['createImport']['parameters']['query']>;

export type ImportRowsQuery = Readonly<
  Omit<NonNullable<operations['listImportRows']['parameters']['query']>, 'cursor'>
>;

export type Key = Schemas['Key'];
export type NewKey = Schemas['NewKey'];
export type KeyPatch = Schemas['KeyPatch'];
export type KeyReplacement = Schemas['KeyReplacement'];
/** An API key after its creation or rotation, with the key itself. */
export type KeyShownOnce = Schemas['KeyShownOnce'];
export type Webhook = Schemas['Webhook'];
export type NewWebhook = Schemas['NewWebhook'];
export type WebhookPatch = Schemas['WebhookPatch'];
export type WebhookReplacement = Schemas['WebhookReplacement'];
/** A webhook after its creation or the replacement of its secret. */
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveriesQuery = Readonly<
  Omit<NonNullable<operations['listWebhookDeliveries']['parameters']['query']>, 'cursor'>
>;
/** The events to send again. */
export type Replay = Schemas['Replay'];
/** The body of a delivery without values, and that of a test event. */
export type ThinEvent = Schemas['ThinEvent'];
export type PingEvent = Schemas['PingEvent'];
export type Replayed = Schemas['Replayed'];

/** A deleted record, with its last values. */
export type Deletion = Schemas['Deletion'];
export type DeletionQuery = Readonly<Omit<NonNullable<operations['listDeletions']['parameters']['query']>, 'cursor'>>;

export type HistoryEntry = Schemas['HistoryEntry'];
export type HistoryEntryType = HistoryEntry['type'];
export type ResourceKind = HistoryEntry['resource'];

export type Event = Schemas['Event'];
export type EventType = Event['type'];
export type EventQuery = Readonly<NonNullable<operations['listEvents']['parameters']['query']>>;
/** Filters of the event feed. */
export type EventFilter = Omit<EventQuery, 'after' | 'limit' | 'wait'>;

/** The id and version of a record. */
export interface Versioned {
  readonly id: string;
  readonly eTag: string;
}

/**
 * The record passed to a change function. After a 412 it is built from the reported changes, which do not include `updatedAt`; `eTag`
 * identifies the version.
 */
export type Current<R> = Omit<R, 'updatedAt'>;

/** A record with the relations in `expand`, which are optional otherwise. */
export type Expanded<R, E extends keyof R> = R & Required<Pick<R, E | NextName<R, E>>>;

/** The member with the URL of the records that are not embedded. */
type NextName<R, E> = E extends string ? `${E}Next` & keyof R : never;

/** The to-many relations of a record. */
export type ToMany<R, E> = E extends keyof R ? (NextName<R, E> extends never ? never : E) : never;

/** A related record. */
export type Child<R, E extends keyof R> = NonNullable<R[E]> extends readonly (infer C)[] ? C : never;

/** The relations that `expand` can embed in a list. */
type Relation<O extends 'listShipments'> = NonNullable<
  NonNullable<operations[O]['parameters']['query']>['expand']
>[number];

/** Filters and sort order of a list, without paging. */
type ListQuery<O extends 'listMoves' | 'listShipments'> = Readonly<
  Omit<NonNullable<operations[O]['parameters']['query']>, 'cursor' | 'expand' | 'excel' | 'count'>
> & {
  /** Count the records on all pages together; the first page has the number. */
  readonly count?: boolean;
};
