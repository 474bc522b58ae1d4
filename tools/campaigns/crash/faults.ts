import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../../test/support/database/postgres-server.js';
import type { Fleet } from './fleet.js';
import type { Random } from './random.js';

/** A fault, and how long it takes on average until the next one of its kind. */
interface Fault {
  readonly name: string;
  readonly everyMs: number;
  readonly inject: () => Promise<void>;
}

const STEP_MS = 50;
/** A replica whose first statements are cancelled ends, and is started again. */
const MAX_STARTS = 10;

const OTHERS = `datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

/** Faults that occur while clients work. Each kind runs independently, so several can occur at once. */
export class Faults {
  /** How often each was injected. */
  readonly counts = new Map<string, number>();
  private running = true;
  private readonly starting = new Set<Promise<void>>();
  private readonly kinds: readonly Fault[];
  private readonly working: Promise<void>[];
  /** Faults of the database come one after the other: one that is down cannot be asked to cancel a statement. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly fleet: Fleet,
    private readonly server: PostgresServer,
    private readonly random: Random,
  ) {
    this.kinds = [
      { name: 'replica killed', everyMs: 40_000, inject: () => this.killReplica() },
      { name: 'statement cancelled', everyMs: 250, inject: () => this.signal('pg_cancel_backend', `state = 'active'`) },
      { name: 'connection terminated', everyMs: 1000, inject: () => this.signal('pg_terminate_backend', 'true') },
      { name: 'PostgreSQL restarted', everyMs: 60_000, inject: () => this.restart('stop') },
      { name: 'PostgreSQL killed', everyMs: 180_000, inject: () => this.restart('kill') },
    ];
    for (const { name } of this.kinds) this.counts.set(name, 0);
    this.working = this.kinds.map((fault) => this.repeat(fault));
  }

  /** Has each fault that was not due yet happen once, and resolves when everything is up again. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.working);
    for (const fault of this.kinds) if (this.counts.get(fault.name) === 0) await this.happen(fault);
    await Promise.all(this.starting);
  }

  private async repeat(fault: Fault): Promise<void> {
    const { everyMs } = fault;
    // In small steps, so that the end of the run does not wait for the next restart.
    let due = Date.now() + everyMs * (0.5 + this.random());
    while (this.running) {
      await sleep(STEP_MS);
      if (Date.now() < due) continue;
      await this.happen(fault);
      due = Date.now() + everyMs * (0.5 + this.random());
    }
  }

  private async happen({ name, inject }: Fault): Promise<void> {
    await inject();
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  private async killReplica(): Promise<void> {
    const { started } = await this.fleet.killOne(MAX_STARTS);
    this.starting.add(started);
    void started.finally(() => this.starting.delete(started));
  }

  /** Any connection of the service that is in such a state. */
  private signal(call: string, state: string): Promise<void> {
    return this.inTurn(async () => {
      const one = `SELECT pid FROM pg_stat_activity WHERE ${OTHERS} AND ${state} ORDER BY random() LIMIT 1`;
      await this.server.sql(`SELECT ${call}(pid) FROM (${one}) one`);
    });
  }

  private restart(how: 'stop' | 'kill'): Promise<void> {
    return this.inTurn(async () => {
      await this.server[how]();
      await this.server.startAgain();
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}
