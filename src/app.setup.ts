import type { Server } from 'node:http';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import type { Config } from './config/config.js';
import { answerParserErrors } from './http/parser-errors.js';
import { WaybillAdapter } from './http/waybill-adapter.js';
import type { DataSource } from 'typeorm';

interface Parts {
  readonly config: Config;
  readonly dataSource: DataSource;
  readonly logger?: LoggerService | false;
}

/** The application as main and the tests both run it; `listen` is left to them. */
export async function createApp({ config, dataSource, logger }: Parts): Promise<INestApplication<Server>> {
  const adapter = new WaybillAdapter({ bodyLimit: config.BODY_LIMIT_BYTES });
  const app = await NestFactory.create<INestApplication<Server>>(AppModule.forRoot(config, dataSource), adapter, {
    bodyParser: false,
    ...(logger !== undefined && { logger }),
  });
  answerParserErrors(app.getHttpServer(), config.PUBLIC_URL ?? '');
  return app;
}
