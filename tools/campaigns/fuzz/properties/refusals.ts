import type fc from 'fast-check';
import type { Client } from '../client.js';
import { refresh, upToDate, type Fixture } from '../fixture.js';
import type { Goal } from '../goals.js';
import { batches, type Property } from '../property.js';
import type { Target } from '../target.js';
import { shown, type Answer, type Sent } from '../wire.js';

/** A request that must be refused, and how. */
export interface Refusal {
  readonly why: string;
  readonly sent: Sent;
  readonly statuses: readonly number[];
  readonly codes?: readonly string[] | undefined;
  /** The place that a field error must name. */
  readonly pointer?: string | undefined;
  /** Anything else that the answer must be. */
  readonly also?: (answer: Answer) => string | undefined;
  /** Sent to the process that demands tokens. */
  readonly guarded?: boolean;
}

/** Requests that are refused in the way they say, and that leave nothing behind. */
export function refusals({
  name,
  check,
  runs,
  covers,
  kinds,
}: {
  readonly name: string;
  readonly check: string;
  readonly runs: number;
  readonly covers: (goal: Goal) => boolean;
  /** A generator for each kind of fault at each place that can have it. */
  readonly kinds: (target: Target) => readonly fc.Arbitrary<Refusal>[];
}): Property {
  return batches({
    name,
    runs,
    covers,
    kinds,
    holds: async (refusal, { client, guarded, fixture }) =>
      isRefused(check, refusal, refusal.guarded ? guarded : client, fixture),
    afterwards: async ({ rows, tally }, values) => {
      tally.checked('nothing is stored by a refused request');
      const changes = await rows.changes();
      if (changes !== undefined) {
        const requests = values.map(({ sent }) => shown(sent)).join('\n\n');
        throw new Error(`nothing is stored by a refused request: ${changes}\n\n${requests}`);
      }
    },
  });
}

/** Whether a goal is to see one of these problems. */
export function isProblem({ kind, name }: Goal, ...codes: readonly string[]): boolean {
  return kind === 'answer' && codes.some((code) => name.endsWith(` ${code}`));
}

async function isRefused(check: string, refusal: Refusal, client: Client, fixture: Fixture): Promise<void> {
  const { why, sent, statuses, codes, pointer, also } = refusal;
  const answer = await client.send(upToDate(sent, fixture)).catch(async (violation: unknown) => {
    await refresh(client, fixture);
    throw violation;
  });
  if (answer.status < 300 && !statuses.includes(answer.status)) await refresh(client, fixture);
  const { status, body } = answer;
  const wanted = `${why} must be answered ${statuses.join(' or ')} ${codes?.join(' or ') ?? ''}`;
  client.expect(check, answer, statuses.includes(status), wanted);
  client.expect(check, answer, codes === undefined || codes.includes(body?.code), wanted);
  if (pointer !== undefined && (status === 422 || status === 400)) {
    const pointers: string[] = (body.errors ?? []).map((error: { pointer: string }) => error.pointer);
    client.expect(`${check}: the place is named`, answer, pointers.includes(pointer), `${why}: no error at ${pointer}`);
  }
  const fault = also?.(answer);
  client.expect(check, answer, fault === undefined, `${why}: ${fault ?? ''}`);
}
