import { Module } from '@nestjs/common';
import { DocsController } from './docs.controller.js';
import { ProblemsController } from './problems.controller.js';
import { WelcomeController } from './welcome.controller.js';

/** What a browser is served. */
@Module({ controllers: [WelcomeController, ProblemsController, DocsController] })
export class PagesModule {}
