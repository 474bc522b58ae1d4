import { Addresses } from './addresses.js';
import { Http, type ClientOptions } from './http.js';
import { Agents, Moves, Services, Shipments } from './resources.js';

/** All calls to one Waybill service. */
export class WaybillClient {
  readonly moves: Moves;
  readonly shipments: Shipments;
  readonly addresses: Addresses;
  readonly agents: Agents;
  readonly services: Services;

  constructor(options: ClientOptions) {
    const http = new Http(options);
    this.moves = new Moves(http);
    this.shipments = new Shipments(http);
    this.addresses = new Addresses(http);
    this.agents = new Agents(http);
    this.services = new Services(http);
  }
}

export type { CallOptions, ClientOptions, ExtraHeaders, Retry, WriteCallOptions } from './http.js';
export type { List, Page } from './list.js';
export type * from './records.js';
export type { AddressKey, Addresses } from './addresses.js';
export type { Agents, Moves, Services, Shipments } from './resources.js';
export type { DeleteOptions, Expansion, ListOptions, WriteOptions } from './versioned-records.js';
export { ConflictError, isProblem, NoAnswerError, ProblemError } from './errors.js';
export type { Conflict, FieldChange, Problem, ProblemCode, ProblemOf } from './errors.js';
export { reapply } from './update.js';
export type { Change, OpenConflict, Resolution, UpdateOptions } from './update.js';
