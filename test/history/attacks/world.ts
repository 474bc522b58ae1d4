import type { Client } from 'pg';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../../support/database/service-role.js';
import { AGENT, MOVE, OTHER_SHIPMENT, SHIPMENT, type Attempt } from './attempts.js';
import { readTruth, type Truth } from './truth.js';

const RECORDS = `
  INSERT INTO moves (id, move_code) VALUES ('${MOVE}', 'AAAAAA'), (gen_random_uuid(), 'ALXNE2');
  INSERT INTO shipments (id, move_id, shipment_type, status) VALUES
    ('${SHIPMENT}', '${MOVE}', 'HHG', 'SUBMITTED'), ('${OTHER_SHIPMENT}', '${MOVE}', 'HHG', 'SUBMITTED');
  INSERT INTO agents (id, shipment_id, agent_type, first_name, phone)
    VALUES ('${AGENT}', '${SHIPMENT}', 'RELEASING_AGENT', 'Ada', '555-0100');
  INSERT INTO services (id, shipment_id, code) VALUES (gen_random_uuid(), '${SHIPMENT}', 'PACK')`;

/** One write of the kind that the service makes, and its hourly call. */
const PROBE = `
  BEGIN;
  SET LOCAL waybill.author = 'r-2 probe';
  UPDATE public.shipments SET estimated_weight = coalesce(estimated_weight, 0) OPERATOR(pg_catalog.+) 1 WHERE id = '${SHIPMENT}';
  COMMIT;
  SELECT public.prepare_months_ahead()`;

/** Changes within one millisecond get versions that are that far apart. */
const A_FEW_VERSIONS_MS = 100;

export interface Outcome {
  /** The error with which PostgreSQL refused the attempt, or that it allowed it. */
  readonly answer: string;
  /** Everything that is wrong afterwards. */
  readonly damage: readonly string[];
}

/** Records with a history, and the service's role that tries things. */
export class World {
  /** After the last attempt. */
  private truth: Truth | undefined;

  private constructor(
    readonly database: ServiceRoleDatabase,
    private readonly service: Client,
  ) {}

  static async create(): Promise<World> {
    const database = await createServiceRoleDatabase();
    const world = new World(database, await database.connect());
    await world.asMallory((service) => service.query(RECORDS));
    return world;
  }

  async drop(): Promise<void> {
    await this.service.end();
    await this.database.drop();
  }

  /** The attempt and then the probe, in one session; compares history, records and what guards them with what they were. */
  async outcomeOf(tried: Attempt): Promise<Outcome> {
    const { owner } = this.database;
    const before = this.truth ?? (await readTruth(owner));
    const answer = await this.asMallory(async (service) => {
      const answered = await this.attempt(service, tried);
      await service.query(PROBE);
      await service.query('DROP SCHEMA IF EXISTS mine CASCADE');
      return answered;
    });
    const after = await readTruth(owner, before.position);
    this.truth = after;
    const gained = after.made.map(({ by }) => by);
    const expected = [...Array<string>(tried.entries ?? 0).fill('mallory'), 'probe'];
    const ended = after.now + A_FEW_VERSIONS_MS;
    const found = {
      'earlier entries were changed': after.earlier !== before.entries,
      [`entries were made by ${gained.join()}, not by ${expected.join()}`]: gained.join() !== expected.join(),
      'the last entry of a record is not what the record is': after.hasLies,
      'a version is not the moment of its change': after.made.some(({ at }) => at < before.now || at > ended),
      'a record had a version twice': after.hasRepeatedVersions,
      'triggers, functions or rights were changed': after.guards !== before.guards,
    };
    return { answer, damage: Object.keys(found).filter((damage) => found[damage]) };
  }

  private async attempt(service: Client, { statements }: Attempt): Promise<string> {
    const { ownerRole, name } = this.database;
    try {
      for (const statement of statements) {
        await service.query(statement.replace(':owner', ownerRole).replace(':database', name));
      }
      return 'done';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await service.query('ROLLBACK');
    }
  }

  /** The session of the service's role as if it were new, whose changes are those of somebody called mallory. */
  private async asMallory<Result>(work: (service: Client) => Promise<Result>): Promise<Result> {
    const { service } = this;
    try {
      await service.query(`SET waybill.author = 'r-1 mallory'`);
      return await work(service);
    } finally {
      await service.query('ROLLBACK');
      await service.query('DISCARD ALL');
    }
  }
}
