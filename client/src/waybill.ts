import { Http, type ClientOptions } from './http.js';
import { Resources } from './resources.js';

/** All calls to one Waybill service. */
export class WaybillClient extends Resources {
  constructor(options: ClientOptions) {
    super(new Http(options));
  }
}

export type { CallOptions, ClientOptions, ExtraHeaders, Retry, WriteCallOptions } from './http.js';
export type { Export, FileFormat, FileOptions } from './export.js';
export type { Imports, UploadOptions, WaitOptions } from './imports.js';
export type { Count, List, Page } from './list.js';
export type * from './records.js';
export type { AddressKey, Addresses } from './addresses.js';
export type * from './resources.js';
export type { DeleteOptions, Expansion, ListOptions, WriteOptions } from './versioned-records.js';
export type { Keys } from './key-records.js';
export type { Webhooks } from './webhook-records.js';
export type { EventList, EventPage, Events } from './events.js';
export type { FollowOptions } from './follow.js';
export type { Mirror, MirrorChange, MirrorOptions } from './mirror.js';
export type { MoveMirrorOptions, ShipmentMirrorOptions } from './mirrors.js';
export {
  ConflictError,
  EventsGoneError,
  EventsMissedError,
  isProblem,
  mayBeDone,
  NoAnswerError,
  ProblemError,
} from './errors.js';
export type { Conflict, FieldChange, Problem, ProblemCode, ProblemOf } from './errors.js';
export { reapply } from './update.js';
export type {
  ChangeOfMany,
  RefusedUpdate,
  UnknownUpdate,
  UpdateManyOptions,
  UpdateManyProgress,
  UpdateManyReport,
} from './update-many.js';
export type { Change, OpenConflict, Resolution, UpdateOptions } from './update.js';
