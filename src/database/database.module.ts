import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database.js';

/** Makes an initialised data source injectable as Database, and closes its pool when the service stops. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => new Database(dataSource) }],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.dataSource.destroy();
  }
}
