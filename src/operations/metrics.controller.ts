import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Undocumented } from '../openapi/operation.js';
import { Metrics } from './metrics.js';

@Controller('metrics')
@Undocumented()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Public()
  @Produces('text/plain')
  async read(@Res() response: Response): Promise<void> {
    const { registry } = this.metrics;
    response.setHeader('Content-Type', registry.contentType).end(await registry.metrics());
  }
}
