import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Reply } from '../http/reply.js';
import { ApiDocument } from './api-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get()
  @Public()
  document(): Reply {
    return new Reply(this.api.text);
  }
}
