import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { DocsController } from './docs.controller.js';
import { ProblemsController } from './problems.controller.js';
import { WelcomeController } from './welcome.controller.js';

@Module({ controllers: [WelcomeController, ProblemsController, DocsController, ConsoleController] })
export class PagesModule {}
