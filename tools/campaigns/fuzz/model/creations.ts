import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../test/support/http/api.js';
import { json } from '../client.js';
import type { Target } from '../target.js';
import type { Sent } from '../wire.js';
import { CHILD_NAMES, complete, kindOf, type Kind, type KindName } from './kinds.js';
import { ruleFaults } from './rules.js';
import { recordFault } from './versions.js';
import { same, type Tracked, type World } from './world.js';
import { duplicateRefusal, expectRefusal, type Command, type Refused } from './writes.js';

export interface Origin {
  readonly client: number;
  /** Which shipment a child of one, or which move a shipment shall belong to. */
  readonly parent: number;
  readonly move: 'none' | 'known' | 'known by code' | 'unknown' | 'unknown code';
  readonly keyed: boolean;
}

/** POST of a record. */
export class Create implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly origin: Origin,
    private readonly body: Json,
  ) {}

  check(world: Readonly<World>): boolean {
    return this.isChild ? world.has('shipment') : true;
  }

  async run(world: World, target: Target): Promise<void> {
    const { client } = target;
    const kind = kindOf(target.description, this.kind);
    const parent = this.isChild ? world.pick(this.origin.parent, 'shipment') : undefined;
    const move = this.moveOf(world);
    const { moveID: _, ...own } = this.body;
    const body = { ...own, ...(move !== undefined && { moveID: move }) };
    const path = parent === undefined ? kind.path : `${parent.path}/${this.kind}s`;
    const key = this.origin.keyed ? { 'Idempotency-Key': randomUUID() } : {};
    const sent = { method: 'POST', path, ...json(body, key) };
    const answer = await client.send(sent);
    if (parent !== undefined && parent.current === undefined) {
      client.expect('use after deletion', answer, answer.status === 404, '404 expected: the parent is deleted');
      return;
    }
    const refusal = this.refusalOf(world, kind, body, parent);
    if (refusal !== undefined) {
      expectRefusal(target, answer, refusal);
      return;
    }
    const expected = { ...body, ...(move !== undefined && { moveID: moveNamed(world, move)?.id }) };
    const fault = answer.status === 201 ? recordFault(kind, answer.body, complete(kind, expected)) : 'no 201';
    client.expect('the representation is the model', answer, fault === undefined, fault ?? '');
    const record = world.add(target, this.kind, answer.body, parent);
    world.seen(this.origin.client, record, answer.body.eTag);
    if (this.origin.keyed) world.kept.push({ sent, answer });
    if (this.kind === 'shipment') await this.hasItsMove(world, target, answer.body);
  }

  private get isChild(): boolean {
    return CHILD_NAMES.includes(this.kind);
  }

  private moveOf(world: World): string | undefined {
    const { move, parent } = this.origin;
    if (this.kind !== 'shipment' || move === 'none') return undefined;
    if (move === 'unknown code') return UNUSED_CODE;
    if (move === 'unknown' || !world.has('move')) return randomUUID();
    const { id, versions } = world.pick(parent, 'move');
    return move === 'known' ? id : versions[0].moveCode;
  }

  private refusalOf(world: World, kind: Kind, body: Json, parent: Tracked | undefined): Refused | undefined {
    const pointers = ruleFaults(kind, body);
    if (pointers.length > 0) return { status: 422, code: 'VALIDATION_FAILED', pointers };
    const isOpen = moveNamed(world, body.moveID)?.current !== undefined;
    if (body.moveID !== undefined && !isOpen) return { status: 422, code: 'VALIDATION_FAILED', pointers: ['/moveID'] };
    return duplicateRefusal(world, undefined, body, parent);
  }

  /** Without a move, a shipment opens one of its own. */
  private async hasItsMove(world: World, target: Target, { moveID, status }: Json): Promise<void> {
    if (world.of('move').some(({ id }) => id === moveID)) return;
    const answer = await target.client.send({ method: 'GET', path: `/v1/moves/${moveID}` });
    const isNew = answer.status === 200 && answer.body.orderID === null && answer.body.remarks === null;
    target.client.expect('a shipment opens its move', answer, isNew && status === 'SUBMITTED', 'no new move');
    world.add(target, 'move', answer.body);
  }

  toString(): string {
    return `POST ${this.kind} ${JSON.stringify(this.origin)} ${JSON.stringify(this.body)}`;
  }
}

/** One of a billion: no move of a run has it. */
const UNUSED_CODE = 'ZZZZZZ';

function moveNamed(world: World, name: string): Tracked | undefined {
  return world.of('move').find(({ id, versions }) => id === name || versions[0].moveCode === name);
}

/** The same key for another request: with another body or, where there is none, for another version. */
function altered(sent: Sent): Sent {
  if (sent.body !== undefined) return { ...sent, body: '{"another":"body"}' };
  return { ...sent, headers: { ...sent.headers, 'If-Match': `"${'0'.repeat(64)}"` } };
}

/** A write with an Idempotency-Key once more: the same answer when it is the same, 422 when it is another. */
export class Repeat implements Command {
  constructor(
    private readonly index: number,
    private readonly alters: boolean,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.kept.length > 0;
  }

  async run(world: World, { client }: Target): Promise<void> {
    const kept = world.kept.at(this.index % world.kept.length);
    if (kept === undefined) return;
    const answer = await client.send(this.alters ? altered(kept.sent) : kept.sent);
    if (this.alters) {
      const isRefused = answer.status === 422 && answer.body.code === 'IDEMPOTENCY_MISMATCH';
      client.expect('a key belongs to one request', answer, isRefused, '422 IDEMPOTENCY_MISMATCH expected');
      return;
    }
    const isSame = answer.status === kept.answer.status && answer.text === kept.answer.text;
    client.expect(
      'a repeated write is answered as before',
      answer,
      isSame,
      `not ${kept.answer.status} ${kept.answer.text}`,
    );
    const headers = ['ETag', 'Location'].map((name) => [answer.headers.get(name), kept.answer.headers.get(name)]);
    const hasSame =
      headers.every(([now, before]) => now === before) && answer.headers.get('Idempotency-Replayed') === 'true';
    client.expect(
      'a repeated write is answered as before',
      answer,
      hasSame && same(answer.body, kept.answer.body),
      'headers',
    );
  }

  toString(): string {
    return `repeat ${this.index}${this.alters ? ' for another request' : ''}`;
  }
}
