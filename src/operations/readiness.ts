import { Injectable, Logger } from '@nestjs/common';
import { DatabaseProbe } from './database-probe.js';
import { Lifecycle } from './lifecycle.js';

/** Why the service cannot serve requests; undefined if it can. */
type Check = () => Promise<string | undefined>;

/** Whether the service can serve requests. Logs only when that changes, not on every check. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('Readiness');
  private readonly checks: Check[] = [];
  private last: string | undefined;

  constructor(
    private readonly lifecycle: Lifecycle,
    probe: DatabaseProbe,
  ) {
    this.add(() => probe.fault());
  }

  add(check: Check): void {
    this.checks.push(check);
  }

  async fault(): Promise<string | undefined> {
    if (this.lifecycle.isDraining) return 'The service is stopping.';
    const faults = (await Promise.all(this.checks.map((check) => check()))).filter((fault) => fault !== undefined);
    const fault = faults.length === 0 ? undefined : faults.join(' ');
    if (fault !== this.last) this.logger.warn(fault === undefined ? 'Ready again' : `Not ready: ${fault}`);
    this.last = fault;
    return fault;
  }
}
