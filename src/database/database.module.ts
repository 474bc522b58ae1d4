import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from './database.js';

/** Makes the database injectable, and closes its pool when the service stops. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [{ provide: Database, useValue: database }],
      exports: [Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.dataSource.destroy();
  }
}
