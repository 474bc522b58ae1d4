import { Controller, Get } from '@nestjs/common';
import { Database } from '../database/database.js';

const PROBE = { name: 'health_probe', text: 'SELECT 1' };

@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  /** The process answers. */
  @Get('live')
  live(): object {
    return { status: 'ok' };
  }

  /** The service can do its work: its migrations ran before it listened, and the database answers now. */
  @Get('ready')
  async ready(): Promise<object> {
    await this.database.query(PROBE);
    return { status: 'ok' };
  }
}
