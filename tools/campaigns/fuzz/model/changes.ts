import type { Json } from '../../../../test/support/http/api.js';
import { json } from '../client.js';
import type { Target } from '../target.js';
import { complete, merged, type KindName } from './kinds.js';
import { ruleFaults } from './rules.js';
import { recordFault } from './versions.js';
import type { World } from './world.js';
import { contentRefusal, duplicateRefusal, EXACT, write, type Command, type Terms } from './writes.js';

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
    await write(world, target, this.terms, {
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
    await write(world, target, this.terms, {
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
