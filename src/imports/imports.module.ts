import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { ImportWorker } from './import-worker.js';
import { ApplyChunk } from './apply-chunk.js';
import { DryRun } from './dry-run.js';
import { ImportExpiry } from './import-expiry.js';
import { ImportRows } from './import-rows.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { ImportUploadService } from './import-upload.service.js';

@Module({
  imports: [BulkModule],
  controllers: [ImportsController],
  providers: [ImportsService, ImportUploadService, DryRun, ImportWorker, ApplyChunk, ImportRows, ImportExpiry],
})
export class ImportsModule {}
