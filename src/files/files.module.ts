import { Module } from '@nestjs/common';
import { Exports } from './exports.js';

@Module({ providers: [Exports], exports: [Exports] })
export class FilesModule {}
