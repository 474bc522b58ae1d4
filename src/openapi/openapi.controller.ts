import { Controller, Get } from '@nestjs/common';
import { Reply } from '../http/reply.js';
import { ApiDocument } from './api-document.js';

@Controller('openapi.json')
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get()
  document(): Reply {
    return new Reply(this.api.text);
  }
}
