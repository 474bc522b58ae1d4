import { Module } from '@nestjs/common';
import { MovesController } from './moves.controller.js';
import { MovesService } from './moves.service.js';

@Module({
  controllers: [MovesController],
  providers: [MovesService],
  exports: [MovesService],
})
export class MovesModule {}
