import { randomUUID } from 'node:crypto';
import type fc from 'fast-check';
import type { Json } from '../../../../test/support/http/api.js';
import type { Target } from '../target.js';
import type { Answer, Sent } from '../wire.js';
import { expectConflict, preconditionOf, type Condition } from './preconditions.js';
import { same, type Tracked, type World } from './world.js';

export type Command = fc.AsyncCommand<World, Target>;

export const EXACT = 'the model knows every status';

/** Everything that a change of a record has in common: who sends it, for which version, and whether it may be repeated. */
export interface Terms {
  readonly client: number;
  readonly index: number;
  readonly condition: Condition;
  readonly keyed: boolean;
}

export interface Write {
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
export async function write(world: World, target: Target, terms: Terms, made: Write): Promise<void> {
  const { client } = target;
  const { record, refusal } = made;
  const { headers, holds, named } = preconditionOf(world, terms.client, record, terms.condition);
  const key = terms.keyed ? { 'Idempotency-Key': randomUUID() } : {};
  const sent = { ...made.sent, headers: { ...made.sent.headers, ...headers, ...key } };
  const answer = await client.send(sent);
  if (record.current === undefined) {
    client.expect('use after deletion', answer, answer.status === 404, '404 expected');
  } else if (headers['If-Match'] === undefined && sent.method !== 'DELETE') {
    client.expect(EXACT, answer, answer.status === 428, '428 expected');
  } else if (!holds) {
    expectConflict(target, answer, record, named);
  } else if (refusal !== undefined) {
    expectRefusal(target, answer, refusal);
  } else {
    await made.accept(answer);
    if (terms.keyed) world.kept.push({ sent, answer });
  }
}

export function expectRefusal({ client }: Target, answer: Answer, { status, code, pointers }: Refused): void {
  client.expect(EXACT, answer, answer.status === status && answer.body.code === code, `${status} ${code} expected`);
  if (pointers === undefined) return;
  const found: string[] = answer.body.errors.map(({ pointer }: Json) => pointer);
  client.expect('rules between fields are kept', answer, same(found.sort(), pointers.toSorted()), pointers.join());
}

export function contentRefusal(pointers: readonly string[]): Refused | undefined {
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
