import { Module, type DynamicModule } from '@nestjs/common';
import { ApiDocument, SERVED, type Served } from './api-document.js';
import { OpenApiController } from './openapi.controller.js';

/** The OpenAPI document. */
@Module({})
export class OpenApiModule {
  static forRoot(served: Served): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [ApiDocument, { provide: SERVED, useValue: served }],
      exports: [ApiDocument],
    };
  }
}
