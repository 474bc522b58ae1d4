import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { MovesController } from './moves.controller.js';
import { MovesService } from './moves.service.js';

@Module({
  imports: [FilesModule],
  controllers: [MovesController],
  providers: [MovesService],
  exports: [MovesService],
})
export class MovesModule {}
