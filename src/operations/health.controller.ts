import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Problem } from '../problem/problem.js';
import { Lifecycle } from './lifecycle.js';
import { DatabaseProbe } from './database-probe.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly probe: DatabaseProbe,
  ) {}

  /** The process answers. */
  @Get('live')
  @Produces('application/json')
  @Public()
  live(): object {
    return { status: 'ok' };
  }

  /** The service can do its work: it stays for a while, and its database answers and has all migrations. */
  @Get('ready')
  @Produces('application/json')
  @Public()
  async ready(): Promise<object> {
    if (this.lifecycle.isDraining) throw notReady('The service is stopping.');
    const fault = await this.probe.fault();
    if (fault !== undefined) throw notReady(fault);
    return { status: 'ok' };
  }
}

function notReady(detail: string): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'Retry-After': '1' } });
}
