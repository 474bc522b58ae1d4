import { createMove } from './records.js';
import { allNumbered } from './events.js';
import type { Json } from '../http/api.js';
import { eventually } from '../races/eventually.js';
import type { TestService } from '../service/service.js';
// After the service, which loads its modules in an order of their own.
import { DeliveryWorker } from '../../../src/deliveries/delivery-worker.js';

const HOUR_MS = 3_600_000;
const TABLES = ['webhook_deliveries', 'webhook_attempts', 'webhook_progress'];

const UNSETTLED = `
  SELECT FROM webhook_progress p JOIN webhooks w ON w.id = p.webhook_id
  WHERE w.enabled AND (
    p.position < (SELECT max(number) FROM events)
    OR EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.state = 'pending' AND (d.lease IS NOT NULL OR d.is_next AND d.next_attempt_at <= now())
    )
  )`;

/**
 * Days of deliveries in seconds: when nothing is left to do, every stored time moves into the past by the pause until the next event or
 * attempt. The real queue, schedule and receiver do the rest.
 */
export class SimulatedDays {
  /** Hours since the beginning. */
  now = 0;

  constructor(private readonly service: TestService) {}

  /** Creates a move at each of these hours, and returns them when the time has come to `until`. */
  async run(hours: readonly number[], until: number, created: (move: Json, hour: number) => void): Promise<void> {
    const coming = hours.filter((hour) => hour >= this.now && hour < until);
    while (this.now < until) {
      await this.settle();
      const attempt = await this.nextAttempt();
      await this.travel(Math.min(coming[0] ?? until, attempt ?? until, until));
      if (coming[0] === undefined || this.now < coming[0]) continue;
      const hour = coming.shift() ?? 0;
      created(await createMove(this.service.api), hour);
      await allNumbered(this.service.sql);
    }
    await this.settle();
  }

  /** Waits until everything that is due has been tried. */
  private async settle(): Promise<void> {
    await eventually(
      async () => {
        this.service.app.get(DeliveryWorker).wake();
        return (await this.service.sql.query(UNSETTLED)).rowCount === 0;
      },
      60_000,
      'every due delivery has been tried',
    );
  }

  private async nextAttempt(): Promise<number | undefined> {
    const { rows } = await this.service.sql.query<{ hours: number | null }>(`
      SELECT extract(epoch FROM min(next_attempt_at) - now())::float8 / 3600 AS hours
      FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.enabled WHERE d.state = 'pending' AND d.is_next`);
    const hours = rows[0]?.hours;
    return hours === null || hours === undefined ? undefined : this.now + Math.max(hours, 0) + 0.001;
  }

  private async travel(to: number): Promise<void> {
    const passed = Math.max(0, Math.round((to - this.now) * HOUR_MS));
    const { rows } = await this.service.sql.query<{ name: string; columns: string[] }>(
      `SELECT attrelid::regclass AS name, array_agg(attname::text) AS columns FROM pg_attribute
       WHERE attrelid = ANY ($1::regclass[]) AND atttypid = 'timestamptz'::regtype AND NOT attisdropped GROUP BY attrelid`,
      [TABLES],
    );
    // By way of another millennium, where no two times of an attempt collide in between.
    const updates = ['1000 years', `${passed} milliseconds -1000 years`].flatMap((step) =>
      rows.map(({ name, columns }) => {
        return `UPDATE ${name} SET ${columns.map((column) => `${column} = ${column} - interval '${step}'`).join(', ')}`;
      }),
    );
    // One query is one transaction, so the worker never sees the times in between.
    await this.service.sql.query(updates.join('; '));
    this.now = to;
  }
}
