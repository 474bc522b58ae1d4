import { Module } from '@nestjs/common';
import { ShipmentsModule } from '../shipments/shipments.module.js';
import { BulkController } from './bulk.controller.js';
import { BulkResults } from './bulk-results.js';
import { BulkService } from './bulk.service.js';
import { BulkPlanner } from './bulk-planner.js';

@Module({
  imports: [ShipmentsModule],
  controllers: [BulkController],
  providers: [BulkService, BulkPlanner, BulkResults],
  exports: [BulkPlanner],
})
export class BulkModule {}
