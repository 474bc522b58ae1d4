import type { Server } from 'node:http';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { AppModule, ENTITIES } from './app.module.js';
import type { Config } from './config/config.js';
import { dataSourceOf } from './database/data-source.js';
import { migrate } from './database/migrate.js';
import { answerParserErrors } from './http/parser-errors.js';
import { WaybillAdapter } from './http/waybill-adapter.js';

interface Parts {
  readonly config: Config;
  readonly dataSource: DataSource;
  readonly logger?: LoggerService | false;
}

/** A pool on a database whose schema is up to date. */
export async function openDatabase(config: Config, url: string, say?: (line: string) => void): Promise<DataSource> {
  const dataSource = await dataSourceOf(config, url, ENTITIES).initialize();
  for (const name of await migrate(dataSource, url)) say?.(`Migrated: ${name}`);
  return dataSource;
}

/** The application as main and the tests both run it; `listen` is left to them. */
export async function createApp({ config, dataSource, logger }: Parts): Promise<INestApplication<Server>> {
  const adapter = new WaybillAdapter({
    bodyLimit: config.BODY_LIMIT_BYTES,
    timeouts: { headers: config.HEADERS_TIMEOUT_MS, request: config.REQUEST_TIMEOUT_MS },
  });
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(config, dataSource), adapter, {
    bodyParser: false,
    ...(logger !== undefined && { logger }),
  });
  answerParserErrors(app.getHttpServer(), config.PUBLIC_URL ?? '');
  return app;
}
