import { Module } from '@nestjs/common';
import { ExportMetrics } from './export-metrics.js';
import { Exports } from './exports.js';

@Module({ providers: [Exports, ExportMetrics], exports: [Exports] })
export class FilesModule {}
