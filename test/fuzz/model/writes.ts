import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Json } from '../../support/api.js';
import { json, type Answer } from '../client.js';
import type { Target } from '../target.js';
import type { Sent } from '../wire.js';
import { address, complete, merged, type AddressName, type KindName } from './kinds.js';
import { expectConflict, preconditionOf, type Condition } from './preconditions.js';
import { ruleFaults, statusFaults, STEPS } from './rules.js';
import { recordFault } from './versions.js';
import { same, type Tracked, type World } from './world.js';

type Command = fc.AsyncCommand<World, Target>;

const EXACT = 'the model knows every status';

/** Everything that a change of a record has in common: who sends it, for which version, and whether it may be repeated. */
export interface Terms {
  readonly client: number;
  readonly index: number;
  readonly condition: Condition;
  readonly keyed: boolean;
}

interface Write {
  readonly record: Tracked;
  readonly sent: Sent;
  /** Why the content is refused once the version is right. */
  readonly refusal: Refused | undefined;
  /** Whether the answer is right, and what it does to the world. */
  accept(answer: Answer): void | Promise<void>;
}

export interface Refused {
  readonly status: 409 | 422;
  readonly code: string;
  readonly pointers?: readonly string[];
}

/** Sends a change and holds its outcome against the model: 404, 428, 412, 422 and 409 come in this order. */
async function write(operation: string, world: World, target: Target, terms: Terms, made: Write): Promise<void> {
  const { client } = target;
  const { record, refusal } = made;
  const { headers, holds, named } = preconditionOf(world, terms.client, record, terms.condition);
  const key = terms.keyed ? { 'Idempotency-Key': randomUUID() } : {};
  const sent = { ...made.sent, headers: { ...made.sent.headers, ...headers, ...key } };
  const answer = await client.send(operation, sent);
  const expectStatus = (status: number) => client.expect(EXACT, answer, answer.status === status, `${status} expected`);
  if (record.current === undefined) return expectStatus(404);
  if (headers['If-Match'] === undefined && sent.method !== 'DELETE') return expectStatus(428);
  if (!holds) return expectConflict(target, answer, record, named);
  if (refusal !== undefined) return expectRefusal(target, answer, refusal);
  await made.accept(answer);
  if (terms.keyed) world.kept.push({ sent, answer });
}

export function expectRefusal({ client }: Target, answer: Answer, { status, code, pointers }: Refused): void {
  client.expect(EXACT, answer, answer.status === status && answer.body.code === code, `${status} ${code} expected`);
  if (pointers === undefined) return;
  const found: string[] = answer.body.errors.map(({ pointer }: Json) => pointer);
  client.expect('rules between fields are kept', answer, same(found.sort(), pointers.toSorted()), pointers.join());
}

/** PATCH or PUT of a record. */
export class Change implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly method: 'PATCH' | 'PUT',
    private readonly terms: Terms,
    private readonly body: Json,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, target: Target): Promise<void> {
    const { method, body } = this;
    const record = world.pick(this.terms.index, this.kind);
    const { kind, current: before } = record;
    const patches = method === 'PATCH';
    const faults = before === undefined ? [] : ruleFaults(kind, body, patches ? before : undefined);
    const expected = before && (patches ? merged(kind, before, body) : complete(kind, body));
    await write(`${method} ${kind.name}`, world, target, this.terms, {
      record,
      sent: { method, path: record.path, ...json(body) },
      refusal: contentRefusal(faults) ?? duplicateRefusal(world, record, expected),
      accept: (answer) => {
        const fault = answer.status === 200 ? recordFault(kind, answer.body, expected, before) : 'no 200';
        target.client.expect('the representation is the model', answer, fault === undefined, fault ?? '');
        const statusKept =
          answer.body.status === before.status && answer.body.rejectionReason === before.rejectionReason;
        target.client.expect('the representation is the model', answer, statusKept, 'the status was changed');
        world.changed(record, answer.body);
        world.seen(this.terms.client, record, answer.body.eTag);
      },
    });
  }

  toString(): string {
    return `${this.method} ${this.kind} ${JSON.stringify(this.terms)} ${JSON.stringify(this.body)}`;
  }
}

function contentRefusal(pointers: readonly string[]): Refused | undefined {
  return pointers.length === 0 ? undefined : { status: 422, code: 'VALIDATION_FAILED', pointers };
}

/** A shipment has one agent of each type. */
export function duplicateRefusal(
  world: World,
  record: Tracked | undefined,
  fields: Json,
  parent = record?.parent,
): Refused | undefined {
  if (parent === undefined || fields?.agentType === undefined) return undefined;
  const others = world.living(parent, 'agent').filter((agent) => agent !== record);
  const isTaken = others.some(({ current }) => current?.agentType === fields.agentType);
  return isTaken ? { status: 409, code: 'DUPLICATE' } : undefined;
}

/** PUT of one of a shipment's addresses, which makes a new version of the shipment. */
export class ReplaceAddress implements Command {
  constructor(
    private readonly name: AddressName,
    private readonly terms: Terms,
    private readonly body: Json,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has('shipment');
  }

  async run(world: World, target: Target): Promise<void> {
    const { name, body, terms } = this;
    const record = world.pick(terms.index, 'shipment');
    const before = record.current;
    // The id of an address that was once there is nobody's when it is gone.
    const id = before?.[name]?.id ?? record.versions.findLast((version) => version[name])?.[name].id ?? record.id;
    const path = `/v1/mto-shipment/${record.id}/address/${id}`;
    if (before !== undefined && !before[name]) {
      const answer = await target.client.send('PUT address', {
        method: 'PUT',
        path,
        ...json(body, { 'If-Match': '*' }),
      });
      target.client.expect(EXACT, answer, answer.status === 404, '404 expected: there is no such address');
      return;
    }
    await write('PUT address', world, target, terms, {
      record,
      sent: { method: 'PUT', path, ...json(body) },
      refusal: undefined,
      accept: async (answer) => {
        const { client } = target;
        const isRight = answer.status === 200 && same(address(answer.body), address(body)) && answer.body.id === id;
        client.expect('the representation is the model', answer, isRight, 'another address');
        const { kind, path: at } = record;
        const shipment = await client.send('read shipment', { method: 'GET', path: at });
        const expected = { ...complete(kind, before), [name]: address(body) };
        const fault = recordFault(kind, shipment.body, expected, before);
        client.expect('an address is part of its shipment', shipment, fault === undefined, fault ?? '');
        const isPart = same(shipment.body[name], answer.body);
        client.expect('an address is part of its shipment', shipment, isPart, 'another address than was answered');
        world.changed(record, shipment.body);
        world.seen(terms.client, record, shipment.body.eTag);
      },
    });
  }

  toString(): string {
    return `PUT ${this.name} ${JSON.stringify(this.terms)} ${JSON.stringify(this.body)}`;
  }
}

/** updateStatus, by the table. */
export class ChangeStatus implements Command {
  constructor(
    private readonly terms: Terms,
    private readonly body: Json,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has('shipment');
  }

  async run(world: World, target: Target): Promise<void> {
    const { terms, body } = this;
    const record = world.pick(terms.index, 'shipment');
    const before = record.current;
    const allowed = STEPS[before?.status] ?? [];
    const step: Refused | undefined = allowed.includes(body.status)
      ? undefined
      : { status: 409, code: 'STATUS_TRANSITION' };
    await write('updateStatus', world, target, terms, {
      record,
      sent: { method: 'PATCH', path: `/prime${record.path}/updateStatus`, ...json(body) },
      refusal: contentRefusal(statusFaults(body)) ?? step,
      accept: (answer) => {
        const { kind } = record;
        const fault = answer.status === 200 ? recordFault(kind, answer.body, complete(kind, before), before) : 'no 200';
        target.client.expect('the representation is the model', answer, fault === undefined, fault ?? '');
        const isRight =
          answer.body.status === body.status && answer.body.rejectionReason === (body.rejectionReason ?? null);
        target.client.expect('the representation is the model', answer, isRight, 'another status');
        world.changed(record, answer.body);
        world.seen(terms.client, record, answer.body.eTag);
      },
    });
  }

  toString(): string {
    return `updateStatus ${JSON.stringify(this.terms)} ${JSON.stringify(this.body)}`;
  }
}

/** DELETE of a record. */
export class Remove implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly terms: Terms,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, target: Target): Promise<void> {
    const record = world.pick(this.terms.index, this.kind);
    const isUsed = this.kind === 'move' && world.living(record, 'shipment').length > 0;
    await write(`DELETE ${this.kind}`, world, target, this.terms, {
      record,
      sent: { method: 'DELETE', path: record.path },
      refusal: isUsed ? { status: 409, code: 'IN_USE' } : undefined,
      accept: (answer) => {
        target.client.expect(EXACT, answer, answer.status === 204 && answer.text === '', '204 expected');
        world.removed(record);
      },
    });
  }

  toString(): string {
    return `DELETE ${this.kind} ${JSON.stringify(this.terms)}`;
  }
}
