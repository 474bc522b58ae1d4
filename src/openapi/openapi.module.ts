import { Module, type DynamicModule } from '@nestjs/common';
import { ApiDocument, SERVED, type Served } from './api-document.js';
import { OpenApiController } from './openapi.controller.js';
import { DocsController } from './pages/docs.controller.js';
import { ProblemsController } from './pages/problems.controller.js';
import { WelcomeController } from './pages/welcome.controller.js';

/** What the service says about itself, for programs and for people. */
@Module({})
export class OpenApiModule {
  static forRoot(served: Served): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [WelcomeController, OpenApiController, ProblemsController, DocsController],
      providers: [ApiDocument, { provide: SERVED, useValue: served }],
      exports: [ApiDocument],
    };
  }
}
