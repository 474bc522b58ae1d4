import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { json, type NamedSchema } from '../openapi/response.js';
import { unavailable } from '../problem/problem.js';
import { objectSchema } from '../validation/json-schema.js';
import { Readiness } from './readiness.js';

const HEALTH: NamedSchema = {
  name: 'Health',
  schema: () =>
    objectSchema('The check passed.', {
      status: { type: 'string', const: 'ok', description: 'Always ok; a failed check returns a problem.' },
    }),
};

@Controller('health')
@Tag('Health', 'For load balancers and orchestrators.')
@Stability('core')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @Produces('application/json')
  @Public()
  @Operation('checkLiveness', 'Check that the process is alive', {
    response: json(HEALTH),
    description: 'Does not check the database.',
  })
  live(): object {
    return { status: 'ok' };
  }

  /** Ready: not shutting down, the database is available and fully migrated, the role has its rights, and the issuer's keys are known. */
  @Get('ready')
  @Produces('application/json')
  @Public()
  @Operation('checkReadiness', 'Check that the service is ready for requests', {
    response: json(HEALTH),
    description:
      '503 while the service is stopping, has no usable database, or has no keys to verify tokens with. `detail` says why.',
  })
  async ready(): Promise<object> {
    const fault = await this.readiness.fault();
    if (fault !== undefined) throw unavailable(fault);
    return { status: 'ok' };
  }
}
