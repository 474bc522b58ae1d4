import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { Database } from '../database/database.js';
import { isReadOnly } from '../database/primary-connections.js';
import { StartFailure } from '../config/start-failure.js';
import { schemaState } from '../database/service-rights.js';
import { HISTORY_POSITIONS, positionsFault, type HistoryPositions } from '../history/positions.js';
import { Lifecycle } from './lifecycle.js';
import { RESOURCES } from '../records/records.js';
import { ownTables, type Resource } from '../records/resource.js';

const ANSWER_WITHIN_MS = 1000;
const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';
const LACKS_MIGRATIONS = 'The database lacks migrations that this version needs.';
const GRANT_THEM = 'Run migrate with SERVICE_ROLE, which grants them.';

/** Why the service cannot serve requests; undefined if it can. */
type Check = () => Promise<string | undefined>;

/** Whether the service can serve requests. Logs only when that changes, not on every check. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('Readiness');
  private readonly checks: Check[] = [() => this.databaseFault()];
  private readonly migrations: number;
  /** Separate, so that health checks work while the pool of requests is exhausted. */
  private readonly pool: Pool;
  private readonly schemaState: string;
  private last: string | undefined;

  constructor(
    private readonly lifecycle: Lifecycle,
    @Inject(RESOURCES) resources: readonly Resource[],
    database: Database,
  ) {
    this.schemaState = schemaState(ownTables(resources));
    this.migrations = database.dataSource.migrations.length;
    const options = { max: 1, query_timeout: ANSWER_WITHIN_MS, pipeline: true };
    this.pool = database.separatePool('waybill-health', options, ANSWER_WITHIN_MS);
  }

  add(check: Check): void {
    this.checks.push(check);
  }

  /** Throws a fault that only the owner of the database can repair. Other faults may pass, and are left to the readiness check. */
  async requirePositions(): Promise<void> {
    const fault = await this.positionsFault().catch(() => undefined);
    if (fault !== undefined) throw new StartFailure(fault);
  }

  async fault(): Promise<string | undefined> {
    if (this.lifecycle.draining.aborted) return 'The service is stopping.';
    const faults = (await Promise.all(this.checks.map((check) => check()))).filter((fault) => fault !== undefined);
    const fault = faults.length === 0 ? undefined : faults.join(' ');
    if (fault !== this.last) this.logger.warn(fault === undefined ? 'Ready again' : `Not ready: ${fault}`);
    this.last = fault;
    return fault;
  }

  /** Why the database cannot serve requests; undefined if it can. */
  private async databaseFault(): Promise<string | undefined> {
    try {
      return (await this.schemaFault()) ?? (await this.positionsFault());
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === UNDEFINED_TABLE) return LACKS_MIGRATIONS;
      if (code === INSUFFICIENT_PRIVILEGE) return `The service's role has no rights on the database. ${GRANT_THEM}`;
      if (isReadOnly(error)) return 'The database is a standby, which is read-only.';
      return 'The database is unavailable.';
    }
  }

  private async schemaFault(): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ migrations: number; role: string; missing: string[] | null }>(
      this.schemaState,
    );
    const [state] = rows;
    if (state === undefined || state.migrations < this.migrations) return LACKS_MIGRATIONS;
    if (state.missing === null) return undefined;
    return `The role ${state.role} lacks rights on the database: ${state.missing.join(', ')}. ${GRANT_THEM}`;
  }

  private async positionsFault(): Promise<string | undefined> {
    const { rows } = await this.pool.query<HistoryPositions>(HISTORY_POSITIONS.text);
    return rows[0] === undefined ? undefined : positionsFault(rows[0]);
  }
}
