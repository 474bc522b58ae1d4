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
    description: 'All is well.',
    required: ['status'],
    properties: {
      status: { type: 'string', const: 'ok', description: 'Always ok; otherwise the answer is a problem.' },
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

  /** The process answers. */
  @Get('live')
  @Produces('application/json')
  @Public()
  @Operation('checkLiveness', 'Ask whether the process answers', {
    other: HEALTH,
    description: 'Says nothing about the database.',
  })
  live(): object {
    return { status: 'ok' };
  }

  /** Whether the service can serve requests: it is not shutting down, and its database answers and has all migrations. */
  @Get('ready')
  @Produces('application/json')
  @Public()
  @Operation('checkReadiness', 'Ask whether the service can do its work', {
    other: HEALTH,
    description: '503 while the database does not answer.',
  })
  async ready(): Promise<object> {
    if (this.lifecycle.isDraining) throw unavailable('The service is stopping.');
    const fault = await this.probe.fault();
    if (fault !== undefined) throw unavailable(fault);
    return { status: 'ok' };
  }
}
