import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Operation, Tag, type NamedSchema } from '../openapi/operation.js';
import { unavailable } from '../problem/problem.js';
import { Lifecycle } from './lifecycle.js';
import { DatabaseProbe } from './database-probe.js';

const HEALTH: NamedSchema = {
  name: 'Health',
  schema: () => ({
    type: 'object',
    description: 'The check passed.',
    required: ['status'],
    properties: {
      status: { type: 'string', const: 'ok', description: 'Always ok; a failed check returns a problem.' },
    },
  }),
};

@Controller('health')
@Tag('Health', 'For load balancers and orchestrators.')
export class HealthController {
  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly probe: DatabaseProbe,
  ) {}

  @Get('live')
  @Produces('application/json')
  @Public()
  @Operation('checkLiveness', 'Check that the process is alive', {
    other: HEALTH,
    description: 'Does not check the database.',
  })
  live(): object {
    return { status: 'ok' };
  }

  /** Ready: not shutting down, and the database is available and fully migrated. */
  @Get('ready')
  @Produces('application/json')
  @Public()
  @Operation('checkReadiness', 'Check that the service is ready for requests', {
    other: HEALTH,
    description: '503 while the database is unavailable.',
  })
  async ready(): Promise<object> {
    if (this.lifecycle.isDraining) throw unavailable('The service is stopping.');
    const fault = await this.probe.fault();
    if (fault !== undefined) throw unavailable(fault);
    return { status: 'ok' };
  }
}
