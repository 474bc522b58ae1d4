import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Reply } from '../http/reply.js';
import { ApiDocument } from './api-document.js';
import { Operation, Tag } from './operation.js';

@Controller('openapi.json')
@Tag('About', 'What the service says about itself.')
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get()
  @Produces('application/json')
  @Public()
  @Operation('readDocument', 'Read this document', { other: 'OpenApi', description: 'OpenAPI 3.1.' })
  document(): Reply {
    return new Reply(this.api.text);
  }
}
