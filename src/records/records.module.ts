import { Module, type DynamicModule } from '@nestjs/common';
import { Records, RELATIONS, RESOURCES } from './records.js';
import type { Relation, Resource } from './resource.js';

@Module({})
export class RecordsModule {
  static forRoot(resources: readonly Resource[], relations: readonly Relation[]): DynamicModule {
    return {
      module: RecordsModule,
      global: true,
      providers: [Records, { provide: RESOURCES, useValue: resources }, { provide: RELATIONS, useValue: relations }],
      exports: [Records, RELATIONS, RESOURCES],
    };
  }
}
