import { Module } from '@nestjs/common';
import { DeletionsController } from './deletions.controller.js';
import { DeletionsService } from './deletions.service.js';

@Module({ controllers: [DeletionsController], providers: [DeletionsService] })
export class DeletionsModule {}
