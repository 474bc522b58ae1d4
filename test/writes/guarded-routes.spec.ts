import { All, Controller, Delete, Module, Patch, Post, Put, UseGuards, type INestApplication } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, GUARDS_METADATA } from '@nestjs/common/internal';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { ScopeCheck } from '../../src/auth/scope.guard.js';
import { CONFIG } from '../../src/config/config.js';
import { Database } from '../../src/database/database.js';
import { Conflicts } from '../../src/writes/conflicts.js';
import { PastVersions } from '../../src/writes/past-versions.js';
import { IfMatchGuard } from '../../src/writes/if-match.guard.js';
import { UnitOfWork } from '../../src/writes/unit-of-work.js';
import { setWriteRule, writeRuleOf, writesOf, type WriteRule } from '../../src/writes/write-rule.js';
import { Writes } from '../../src/writes/writes.decorator.js';
import { WriteFilter } from '../../src/writes/write.filter.js';
import { routesOf, type Route } from '../../src/http/routes.js';
import { Idempotency } from '../../src/writes/idempotency/idempotency.js';
import { MoveFields } from '../../src/moves/dto/move-fields.js';
import { MOVES } from '../../src/model/move.entity.js';
import { DeletedRecords } from '../../src/records/deleted-records.js';
import { Records } from '../../src/records/records.js';
import { expressRoutesOf } from '../support/http/express-routes.js';
import { useService } from '../support/service/service.js';

const MARKS: Record<string, { name: string; is: (rule: WriteRule) => boolean }> = {
  PATCH: { name: 'a rule that requires If-Match', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'required' },
  PUT: { name: 'a rule that requires If-Match', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'required' },
  DELETE: { name: 'a rule that takes If-Match', is: (rule) => 'ifMatch' in rule && rule.ifMatch === 'optional' },
  POST: { name: 'a rule that creates', is: (rule) => 'creates' in rule },
};

/**
 * They open their transactions themselves: a bulk judges each item by itself, and a file is read before there is one. What can be written
 * without a lock, `Locked` does not allow.
 */
const WITHOUT_GUARD = ['POST /v1/shipments/bulk', 'POST /v1/imports'];

/** These change a record, and name its version if they want to. */
const CHANGING = [
  'imports/:importID/apply',
  'imports/:importID/settle',
  'webhooks/:webhookID/rotateSecret',
  'keys/:keyID/rotateKey',
].map((path) => `POST /v1/${path}`);

/** It restores a record, and has to name its deletion. */
const RESTORING = '/undelete';

const READING = ['GET', 'HEAD', 'OPTIONS'];

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function isBound({ handler }: Route, key: string, part: unknown): boolean {
  return (Reflect.getMetadata(key, handler) as unknown[] | undefined)?.includes(part) ?? false;
}

/** The method whose mark a route needs. */
function markOf(route: Route): string {
  if (route.path.endsWith(RESTORING)) return 'PUT';
  return CHANGING.includes(nameOf(route)) ? 'DELETE' : route.method;
}

function faultOf(route: Route): string | undefined {
  if (READING.includes(route.method)) return undefined;
  const mark = MARKS[markOf(route)];
  if (mark === undefined) return 'has a method for which no mark is known';
  const rule = writeRuleOf(route.handler);
  if (rule === undefined || !mark.is(rule)) return `lacks ${mark.name}`;
  const isGuarded = isBound(route, GUARDS_METADATA, IfMatchGuard) || WITHOUT_GUARD.includes(nameOf(route));
  if (!isGuarded) return 'lacks the guard';
  if (!isBound(route, EXCEPTION_FILTERS_METADATA, WriteFilter)) return 'lacks the filter';
  return undefined;
}

/** Every route that could write without the version check, by what it lacks. */
function unguardedRoutes(app: INestApplication): string[] {
  const routes = routesOf(app);
  const known = routes.map(nameOf);
  const wild = expressRoutesOf(app).filter((name) => !known.includes(name) && !/^(GET|HEAD|OPTIONS) /.test(name));
  const faults = routes.map((route) => [nameOf(route), faultOf(route)] as const);
  return [
    ...faults.flatMap(([name, fault]) => (fault === undefined ? [] : `${name} ${fault}`)),
    ...wild.map((name) => `${name} has no controller`),
  ];
}

describe('the service', () => {
  const service = useService();

  it('has no route that writes without the version check', () => {
    expect(unguardedRoutes(service.app)).toEqual([]);
  });

  it('serves exactly the routes that its controllers name', () => {
    const handlers = routesOf(service.app).map(nameOf);
    const served = expressRoutesOf(service.app);
    expect(served).toEqual(expect.arrayContaining(handlers));
    expect(handlers).toEqual(expect.arrayContaining(['PATCH /v1/moves/:moveID', 'POST /prime/v1/shipments']));
  });
});

describe('the check', () => {
  const WRITES = writesOf({ resource: MOVES, scope: 'moves:write', fields: MoveFields });

  @Controller('naked')
  class NakedController {
    @Patch(':id')
    patch(): void {
      return;
    }

    @Put(':id')
    @Writes(WRITES.create)
    put(): void {
      return;
    }

    @Delete(':id')
    @Writes(WRITES.update)
    remove(): void {
      return;
    }

    @Post()
    @Writes(WRITES.remove)
    create(): void {
      return;
    }

    @Post('half')
    @setWriteRule(WRITES.create)
    @UseGuards(IfMatchGuard)
    half(): void {
      return;
    }

    @All('any')
    any(): void {
      return;
    }
  }

  const stubs = [
    Database,
    UnitOfWork,
    Records,
    DeletedRecords,
    Idempotency,
    ScopeCheck,
    PastVersions,
    Conflicts,
    CONFIG,
  ].map((provide) => ({
    provide,
    useValue: {},
  }));

  @Module({ controllers: [NakedController], providers: stubs })
  class NakedModule {}

  it('names each route that lacks its mark or has no controller', async () => {
    const app = await NestFactory.create(NakedModule, new ExpressAdapter(), { logger: false });
    (app.getHttpAdapter().getInstance() as Express).patch('/wild', () => undefined);
    await app.init();
    const faults = [
      'PATCH /naked/:id lacks a rule that requires If-Match',
      'PUT /naked/:id lacks a rule that requires If-Match',
      'DELETE /naked/:id lacks a rule that takes If-Match',
      'POST /naked lacks a rule that creates',
      'POST /naked/half lacks the filter',
      'ALL /naked/any has a method for which no mark is known',
      'PATCH /wild has no controller',
    ];
    expect(unguardedRoutes(app)).toEqual(expect.arrayContaining(faults));
    await app.close();
  });
});
