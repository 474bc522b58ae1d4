import type { Json } from '../../../../test/support/http/api.js';
import { json } from '../client.js';
import type { Target } from '../target.js';
import { address, complete, type AddressName } from './kinds.js';
import { statusFaults, STEPS } from './rules.js';
import { recordFault } from './versions.js';
import { same, type World } from './world.js';
import { contentRefusal, EXACT, write, type Command, type Refused, type Terms } from './writes.js';

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
      const answer = await target.client.send({
        method: 'PUT',
        path,
        ...json(body, { 'If-Match': '*' }),
      });
      target.client.expect(EXACT, answer, answer.status === 404, '404 expected: there is no such address');
      return;
    }
    await write(world, target, terms, {
      record,
      // Fields set by the server are sent back unchanged, in the version that this client knows.
      sent: { method: 'PUT', path, ...json(terms.keyed ? { ...body, id, eTag: before?.eTag } : body) },
      refusal: undefined,
      accept: async (answer) => {
        const { client } = target;
        const isRight = answer.status === 200 && same(address(answer.body), address(body)) && answer.body.id === id;
        client.expect('the representation is the model', answer, isRight, 'another address');
        const { kind, path: at } = record;
        const shipment = await client.send({ method: 'GET', path: at });
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
    private readonly mediaType = 'application/json',
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
    await write(world, target, terms, {
      record,
      sent: {
        method: 'PATCH',
        path: `/prime${record.path}/updateStatus`,
        ...json(body, { 'Content-Type': this.mediaType }),
      },
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
