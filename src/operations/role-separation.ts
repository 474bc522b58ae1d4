import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { EXCESS_RIGHTS } from '../database/service-rights.js';
import { Housekeeping } from './housekeeping.js';
import { Metrics } from './metrics.js';

interface RoleRights {
  readonly role: string;
  readonly excess: readonly string[];
}

/** Reports a service whose role could change history. It still serves: one role for everything is fine for development. */
@Injectable()
export class RoleSeparation {
  private readonly logger = new Logger('RoleSeparation');
  private known: RoleRights | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    housekeeping: Housekeeping,
    metrics: Metrics,
  ) {
    housekeeping.add('Checking the rights of the role', () => this.check());
    const help = 'Rights with which the role of the service could change history or the schema';
    metrics.gauge('waybill_role_excess_rights', help, ['role'], (gauge) => {
      if (this.known !== undefined) gauge.labels(this.known.role).set(this.known.excess.length);
    });
  }

  private async check(): Promise<void> {
    const [rights] = await this.database.query<RoleRights>(EXCESS_RIGHTS);
    const isNew = String(rights?.excess) !== String(this.known?.excess);
    this.known = rights;
    if (rights === undefined || rights.excess.length === 0 || !isNew || this.config.NODE_ENV !== 'production') return;
    this.logger.warn(
      `The role ${rights.role} could change history, and so could whoever has its DATABASE_URL: ${rights.excess.join(', ')}. ` +
        'Create two roles with deploy/roles.sql, migrate as the owner with SERVICE_ROLE, and run the service as the other role.',
    );
  }
}
