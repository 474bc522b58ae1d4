import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.js';
import { Produces } from '../http/accept.guard.js';
import { Reply } from '../http/reply.js';
import { ApiDocument } from './api-document.js';
import { Operation, Stability, Tag } from './operation.js';
import { json, type NamedSchema } from './response.js';

const OPENAPI: NamedSchema = {
  name: 'OpenApi',
  schema: () => ({
    type: 'object',
    description: 'An OpenAPI 3.1 document.',
    required: ['openapi', 'info', 'paths'],
    properties: { openapi: { type: 'string', pattern: '^3\\.1\\.', description: 'The OpenAPI version.' } },
    additionalProperties: true,
  }),
};

@Controller('openapi.json')
@Tag('About', 'Information about the service.')
@Stability('core')
export class OpenApiController {
  private written: string | undefined;

  constructor(private readonly api: ApiDocument) {}

  @Get()
  @Produces('application/json')
  @Public()
  @Operation('readDocument', 'Read this document', { response: json(OPENAPI), description: 'OpenAPI 3.1.' })
  document(): Reply {
    return new Reply((this.written ??= JSON.stringify(this.api.served)));
  }
}
