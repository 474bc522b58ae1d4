import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../../test/support/database/postgres-server.js';
import type { Replica } from '../../../test/support/service/replica.js';
import type { Receivers } from './receivers.js';

/** The steps of a delivery at which a replica is killed. */
export const STEPS = ['before the claim', 'after the claim', 'during the call', 'before the result'] as const;
export type Step = (typeof STEPS)[number];

const LOOK_EVERY_MS = 5;
const MAX_WAIT_MS = 10_000;

/** Kills a replica with SIGKILL at a step of a delivery, and starts it again. */
export async function killAt(step: Step, replica: Replica, receivers: Receivers, sql: PostgresServer): Promise<void> {
  await Promise.race([reached(step, receivers, sql), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  await replica.kill();
  await replica.startAgain();
}

function reached(step: Step, receivers: Receivers, sql: PostgresServer): Promise<void> {
  if (step === 'before the claim') return until(sql, 'is_next AND lease IS NULL');
  if (step === 'after the claim') return until(sql, 'lease IS NOT NULL');
  return new Promise((resolve) => {
    receivers.onCall = (reachedStep) => {
      if (reachedStep !== step) return;
      receivers.onCall = () => undefined;
      resolve();
    };
  });
}

/** Waits for a pending delivery that is in this state. */
async function until(sql: PostgresServer, state: string): Promise<void> {
  const statement = `SELECT FROM webhook_deliveries WHERE state = 'pending' AND ${state} LIMIT 1`;
  const began = performance.now();
  while (performance.now() - began < MAX_WAIT_MS && (await sql.sql(statement)).length === 0) await sleep(LOOK_EVERY_MS);
}

/** Spoils the run on purpose, to show that the checks notice. */
export const SABOTAGES = {
  'lose-deliveries': `DELETE FROM webhook_deliveries WHERE state = 'pending' AND NOT is_next`,
  'break-order': `UPDATE webhook_deliveries SET is_next = true WHERE state = 'pending' AND NOT is_next`,
  'skip-events': 'UPDATE webhook_progress SET position = least(position + 3, (SELECT max(number) FROM events))',
} as const;
