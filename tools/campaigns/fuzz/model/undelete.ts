import { randomUUID } from 'node:crypto';
import type { Json } from '../../../../test/support/http/api.js';
import type { Answer } from '../wire.js';
import type { Target } from '../target.js';
import { fieldsOf, type KindName } from './kinds.js';
import { recordFault } from './versions.js';
import { same, type Tracked, type World } from './world.js';
import { duplicateRefusal, EXACT, type Command, type Terms } from './writes.js';

const NOBODYS = '0'.repeat(64);

/** POST .../undelete of a record, deleted or not. */
export class Undelete implements Command {
  constructor(
    private readonly kind: KindName,
    private readonly terms: Terms,
  ) {}

  check(world: Readonly<World>): boolean {
    return world.has(this.kind);
  }

  async run(world: World, target: Target): Promise<void> {
    const { client } = target;
    const record = world.pick(this.terms.index, this.kind);
    const { headers, holds } = this.conditionFor(await this.deletionETag(record, target));
    const key = this.terms.keyed ? { 'Idempotency-Key': randomUUID() } : {};
    const sent = { method: 'POST', path: `${record.path}/undelete`, headers: { ...headers, ...key } };
    const answer = await client.send(sent);
    const isRefused = (status: number, code: string) => answer.status === status && answer.body.code === code;
    if (record.current !== undefined) {
      const isKnown = isRefused(409, 'NOT_DELETED') && answer.body.currentETag === record.current.eTag;
      client.expect(EXACT, answer, isKnown, '409 NOT_DELETED expected');
    } else if (headers['If-Match'] === undefined) {
      client.expect(EXACT, answer, answer.status === 428, '428 expected');
    } else if (!holds) {
      client.expect(EXACT, answer, answer.status === 412, '412 expected');
    } else if (!hasParent(world, record)) {
      client.expect(EXACT, answer, isRefused(409, 'PARENT_DELETED'), '409 PARENT_DELETED expected');
    } else if (duplicateRefusal(world, record, record.versions.at(-1)) !== undefined) {
      client.expect(EXACT, answer, isRefused(409, 'DUPLICATE'), '409 DUPLICATE expected');
    } else {
      client.expect(EXACT, answer, answer.status === 200, '200 expected');
      await this.restored(world, target, record, answer);
      if (this.terms.keyed) world.kept.push({ sent, answer });
    }
  }

  /** Undefined for a record that is not deleted. */
  private async deletionETag(record: Tracked, { client }: Target): Promise<string | undefined> {
    const last: Json = record.versions.at(-1);
    const code: string | undefined = last.moveCode ?? last.shipmentCode;
    const of = code === undefined ? `moveID=${record.parent?.versions[0].moveID}` : `code=${code}`;
    const path = `/v1/deletions?limit=200&resource=${this.kind}&${of}`;
    const answer = await client.send({ method: 'GET', path });
    const found = answer.body.find(({ resourceID }: Json) => resourceID === record.id);
    const isListed = (found === undefined) === (record.current !== undefined);
    client.expect('deletions are what was deleted', answer, isListed, `${record.id} is listed, or is not`);
    if (found === undefined) return undefined;
    client.expect('deletions are what was deleted', answer, same(found.values, last), 'other values');
    return found.deletionETag;
  }

  private conditionFor(eTag = NOBODYS): { readonly headers: Record<string, string>; readonly holds: boolean } {
    switch (this.terms.condition) {
      case 'known':
        return { headers: { 'If-Match': eTag }, holds: true };
      case 'quoted':
        return { headers: { 'If-Match': `"${eTag}"` }, holds: true };
      case 'list':
        return { headers: { 'If-Match': `"${NOBODYS}", "${eTag}"` }, holds: true };
      case 'any':
        return { headers: { 'If-Match': '*' }, holds: true };
      case 'weak':
        return { headers: { 'If-Match': `W/"${eTag}"` }, holds: false };
      case 'foreign':
        return { headers: { 'If-Match': 'a-tag-of-another-system' }, holds: false };
      case 'none':
        return { headers: {}, holds: true };
    }
  }

  private async restored(world: World, target: Target, record: Tracked, restored: Answer): Promise<void> {
    const children = world.takenAlong(record);
    check(target, record, restored);
    world.changed(record, restored.body);
    world.seen(this.terms.client, record, restored.body.eTag);
    for (const child of children) {
      const answer = await target.client.send({ method: 'GET', path: child.path });
      target.client.expect('children come back', answer, answer.status === 200, `${child.path} did not`);
      check(target, child, answer);
      world.changed(child, answer.body);
    }
  }

  toString(): string {
    return `undelete ${this.kind} ${JSON.stringify(this.terms)}`;
  }
}

/** It is the last version again, but for its time. */
function check({ client }: Target, { kind, versions }: Tracked, answer: Answer): void {
  const [last, { body }]: [Json, Answer] = [versions.at(-1), answer];
  const isAlike = body.status === last.status && body.rejectionReason === last.rejectionReason;
  const fault = recordFault(kind, body, fieldsOf(kind, last), last) ?? (isAlike ? undefined : 'another status');
  client.expect('what comes back is unaltered', answer, fault === undefined, fault ?? '');
}

/** The shipment of a child, or the move of a shipment, is there. */
function hasParent(world: World, { kind, parent, versions }: Tracked): boolean {
  if (kind.name === 'move') return true;
  if (kind.name !== 'shipment') return parent?.current !== undefined;
  return world.of('move').find(({ id }) => id === versions[0].moveID)?.current !== undefined;
}
