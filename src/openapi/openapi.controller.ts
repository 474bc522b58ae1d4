import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Reply } from '../http/reply.js';
import { ApiDocument } from './api-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get()
  @Produces('application/json')
  @Public()
  document(): Reply {
    return new Reply(this.api.text);
  }
}
