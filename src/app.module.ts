import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, RouterModule } from '@nestjs/core';
import { TEXTS } from './api-texts/api-texts.js';
import { CONFIG, type Config } from './config/config.js';
import { ScopeCheck, ScopeGuard } from './auth/scope.guard.js';
import { BulkModule } from './bulk/bulk.module.js';
import { Database } from './database/database.js';
import { WritesModule } from './writes/writes.module.js';
import { AcceptGuard } from './http/accept.guard.js';
import { PROBLEM_PAGE, ProblemFilter } from './http/problem.filter.js';
import { QueryGuard } from './http/query.guard.js';
import { Slots } from './http/slots.js';
import { KeysModule } from './keys/keys.module.js';
import { MovesModule } from './moves/moves.module.js';
import { DeletionsModule } from './deletions/deletions.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthController } from './operations/health.controller.js';
import { API_TEXTS } from './openapi/api-texts.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { shownProblem } from './pages/problems.controller.js';
import { PagesModule } from './pages/pages.module.js';
import { Exports } from './files/exports.js';
import { ImportsModule } from './imports/imports.module.js';
import { Housekeeping } from './operations/housekeeping.js';
import { Lifecycle } from './operations/lifecycle.js';
import { MetricsController } from './operations/metrics.controller.js';
import { Metrics } from './operations/metrics.js';
import { OverviewModule } from './overview/overview.module.js';
import { Readiness } from './operations/readiness.js';
import { RoleSeparation } from './operations/role-separation.js';
import { DeletedRecords } from './records/deleted-records.js';
import { ExpansionGuard } from './records/expansion.guard.js';
import { Records, RELATIONS, RESOURCES, SEARCH } from './records/records.js';
import { ALL_RESOURCES } from './model/resources.js';
import { RELATIONS_OF_SHIPMENTS } from './model/relations.js';
import { searchStatements } from './search/search-sql.js';
import { PrefixedShipmentsModule, ShipmentsModule } from './shipments/shipments.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Available in every module. */
const SHARED = [Records, DeletedRecords, ScopeCheck, Exports, Housekeeping, Lifecycle, Metrics, Slots];

@Module({})
export class AppModule {
  static forRoot(config: Config, database: Database): DynamicModule {
    return {
      module: AppModule,
      global: true,
      exports: [CONFIG, Database, RELATIONS, RESOURCES, SEARCH, API_TEXTS, ...SHARED],
      imports: [
        WritesModule,
        // Before shipments, because its path is more specific.
        BulkModule,
        MovesModule,
        ShipmentsModule,
        PrefixedShipmentsModule,
        ImportsModule,
        WebhooksModule,
        KeysModule,
        OverviewModule,
        DeletionsModule,
        EventsModule,
        DeliveriesModule,
        RouterModule.register([{ path: config.API_PREFIX, module: PrefixedShipmentsModule }]),
        OpenApiModule,
        PagesModule,
      ],
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Database, useValue: database },
        { provide: RELATIONS, useValue: RELATIONS_OF_SHIPMENTS },
        { provide: RESOURCES, useValue: ALL_RESOURCES },
        { provide: SEARCH, useValue: searchStatements },
        { provide: API_TEXTS, useValue: TEXTS },
        { provide: PROBLEM_PAGE, useValue: shownProblem },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: AcceptGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        { provide: APP_GUARD, useClass: ExpansionGuard },
        Readiness,
        RoleSeparation,
        ...SHARED,
      ],
    };
  }
}
