import {
  All,
  Controller,
  Delete,
  Module,
  Patch,
  Post,
  Put,
  SetMetadata,
  UseGuards,
  type INestApplication,
} from '@nestjs/common';
import { GUARDS_METADATA, INTERCEPTORS_METADATA } from '@nestjs/common/internal';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { Database } from '../src/database/database.js';
import { CommitInterceptor } from '../src/etag/commit.interceptor.js';
import {
  Creates,
  IfMatch,
  IfMatchGuard,
  IfMatchOptional,
  WRITE_RULE,
  type WriteRule,
} from '../src/etag/if-match.guard.js';
import { MOVES } from '../src/moves/move.entity.js';
import { Records } from '../src/records/records.js';
import { expressRoutesOf, handlersOf, type Handler } from './support/routes.js';
import { startService, type TestService } from './support/service.js';

const MARKS: Record<string, { name: string; is: (rule: WriteRule) => boolean }> = {
  PATCH: { name: '@IfMatch', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'required' },
  PUT: { name: '@IfMatch', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'required' },
  DELETE: { name: '@IfMatchOptional', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'optional' },
  POST: { name: '@Creates', is: (rule) => 'creates' in rule },
};

const READING = ['GET', 'HEAD', 'OPTIONS'];

function methodOf(route: string): string {
  return route.slice(0, route.indexOf(' '));
}

function isBound({ controller, method }: Handler, key: string, part: unknown): boolean {
  return [method, controller].some((target) =>
    (Reflect.getMetadata(key, target) as unknown[] | undefined)?.includes(part),
  );
}

function faultOf(handler: Handler): string | undefined {
  const method = methodOf(handler.route);
  if (READING.includes(method)) return undefined;
  const mark = MARKS[method];
  if (mark === undefined) return `${handler.route} has a method for which no mark is known`;
  const rule = Reflect.getMetadata(WRITE_RULE, handler.method) as WriteRule | undefined;
  if (rule === undefined || !mark.is(rule)) return `${handler.route} lacks ${mark.name}`;
  if (!isBound(handler, GUARDS_METADATA, IfMatchGuard)) return `${handler.route} lacks the guard of ${mark.name}`;
  if (!isBound(handler, INTERCEPTORS_METADATA, CommitInterceptor)) {
    return `${handler.route} lacks the interceptor of ${mark.name}`;
  }
  return undefined;
}

/** Every route that could write without the version check, by what it lacks. */
function unguardedRoutes(app: INestApplication): string[] {
  const handlers = handlersOf(app);
  const known = new Set(handlers.map(({ route }) => route));
  const wild = expressRoutesOf(app).filter((route) => !known.has(route) && !READING.includes(methodOf(route)));
  return [
    ...handlers.flatMap((handler) => faultOf(handler) ?? []),
    ...wild.map((route) => `${route} has no controller`),
  ];
}

describe('the service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('has no route that writes without the version check', () => {
    expect(unguardedRoutes(service.app)).toEqual([]);
  });

  it('serves exactly the routes that its controllers name', () => {
    const handlers = handlersOf(service.app).map(({ route }) => route);
    const served = expressRoutesOf(service.app);
    expect(served).toEqual(expect.arrayContaining(handlers));
    expect(handlers).toEqual(expect.arrayContaining(['PATCH /v1/moves/:moveID', 'POST /prime/v1/shipments']));
  });
});

describe('the check', () => {
  @Controller('naked')
  class NakedController {
    @Patch(':id')
    patch(): void {
      return;
    }

    @Put(':id')
    @Creates()
    put(): void {
      return;
    }

    @Delete(':id')
    @IfMatch(MOVES)
    remove(): void {
      return;
    }

    @Post()
    @IfMatchOptional(MOVES)
    create(): void {
      return;
    }

    @Post('half')
    @SetMetadata(WRITE_RULE, { creates: true, parent: undefined })
    @UseGuards(IfMatchGuard)
    half(): void {
      return;
    }

    @All('any')
    any(): void {
      return;
    }
  }

  const stubs = [Database, Records].map((provide) => ({ provide, useValue: {} }));

  @Module({ controllers: [NakedController], providers: stubs })
  class NakedModule {}

  it('names each route that lacks its mark or has no controller', async () => {
    const app = await NestFactory.create(NakedModule, new ExpressAdapter(), { logger: false });
    (app.getHttpAdapter().getInstance() as Express).patch('/wild', () => undefined);
    await app.init();
    const faults = [
      'PATCH /naked/:id lacks @IfMatch',
      'PUT /naked/:id lacks @IfMatch',
      'DELETE /naked/:id lacks @IfMatchOptional',
      'POST /naked lacks @Creates',
      'POST /naked/half lacks the interceptor of @Creates',
      'ALL /naked/any has a method for which no mark is known',
      'PATCH /wild has no controller',
    ];
    expect(unguardedRoutes(app)).toEqual(expect.arrayContaining(faults));
    await app.close();
  });
});
