import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { publicPaths, requireDeclaredAccess } from './auth/access.js';
import { ScopeCheck } from './auth/scope.guard.js';
import { Authentication } from './auth/authentication.js';
import { BULK_PATH, MAX_BULK_BYTES, MAX_BULK_NAMES } from './bulk/bulk-request.js';
import type { Config } from './config/config.js';
import type { Database } from './database/database.js';
import { BackgroundConnection } from './database/background-connection.js';
import { Responder } from './writes/responder.js';
import { writeRuleOf } from './writes/write-rule.js';
import { allowedHosts } from './http/allowed-hosts.js';
import { crossOrigin } from './http/cross-origin.js';
import { displayName } from './http/display-name.js';
import { jsonBody, noBody } from './http/json-body.js';
import { respondToParserErrors } from './server/parser-errors.js';
import { rateLimit } from './http/rate-limit.js';
import { queryTypeOf } from './http/query.guard.js';
import { patternOf, routesOf, type Route } from './http/routes.js';
import { urlLimit } from './http/request-head.js';
import { securityHeaders } from './http/security-headers.js';
import { Slots } from './http/slots.js';
import { WaybillAdapter } from './server/waybill-adapter.js';
import { IMPORTS } from './model/import.entity.js';
import { uploadedFile } from './imports/reading/uploaded-file.js';
import { KeyMetrics } from './keys/key-metrics.js';
import { Lifecycle } from './operations/lifecycle.js';
import { isManagementPath, separateManagement } from './operations/management-server.js';
import { Metrics } from './operations/metrics.js';
import { NestLogger } from './operations/nest-logger.js';
import { Readiness } from './operations/readiness.js';
import { requestLog } from './operations/request-log.js';
import { redirectToConsole } from './pages/console-redirect.js';
import { fieldsOf } from './validation/fields-of.js';

export type App = NestExpressApplication;

/** The application as main and the tests run it; the caller calls `listen`. */
export async function createApp(config: Config, database: Database, logger: Logger): Promise<App> {
  const adapter = new WaybillAdapter({
    bodyLimit: config.BODY_LIMIT_BYTES,
    timeouts: { request: config.REQUEST_TIMEOUT_MS, write: config.WRITE_TIMEOUT_MS },
  });
  const app = await NestFactory.create<App>(AppModule.forRoot(config, database), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
  });
  const responder = app.get(Responder);
  adapter.replyWith((...handled) => responder.reply(...handled));
  const routes = routesOf(app);
  const scopes = app.get(ScopeCheck);
  const bodyless = routes.filter(
    ({ method, handler }) => method === 'POST' && writeRuleOf(handler)?.body === undefined,
  );
  adapter.readBodiesWith({
    ...Object.fromEntries(bodyless.map(({ path }) => [path, noBody])),
    [BULK_PATH]: jsonBody({ bytes: Math.max(config.BODY_LIMIT_BYTES, MAX_BULK_BYTES), names: MAX_BULK_NAMES }),
    // The guard of the route checks the same scope, but only after the file has arrived.
    [IMPORTS.path]: uploadedFile((request) => scopes.require(request, 'shipments:write'), app.get(Slots).of('uploads')),
  });
  requireDeclaredAccess(routes);
  compileRules(routes);
  const isPublic = publicPaths(routes);
  if (config.TRUSTED_PROXIES !== undefined) app.set('trust proxy', config.TRUSTED_PROXIES);
  const [metrics, reader] = [app.get(Metrics), app.get(BackgroundConnection)];
  const authentication = config.isOpen ? undefined : new Authentication(config, database, reader);
  const rejectedKeys = authentication?.rejectedKeys;
  const keyMetrics = rejectedKeys && new KeyMetrics(config, metrics, rejectedKeys, reader);
  adapter.prepare(
    requestLog(logger, metrics, patternOf(routes), keyMetrics),
    app.get(Lifecycle).closeConnections(),
    securityHeaders,
    urlLimit,
  );
  // Probes and scrapers connect by IP address. Health and metrics contain no records.
  if (config.isOpen) adapter.prepare(allowedHosts(config.PUBLIC_URL, isManagementPath));
  if (config.MANAGEMENT_PORT !== undefined) app.use(separateManagement);
  if (config.CORS_ORIGINS !== undefined) app.use(crossOrigin(config.CORS_ORIGINS));
  app.use(redirectToConsole(config.PUBLIC_URL));
  if (authentication === undefined) {
    app.use(displayName);
  } else {
    app.get(Readiness).add(() => authentication.fault());
    app.use(authentication.handler(isPublic));
  }
  if (config.RATE_LIMIT > 0) app.use(...rateLimit(config.RATE_LIMIT, isPublic));
  const server = app.getHttpServer();
  // Longer than the idle timeout of load balancers, so that the service never closes a connection that is being reused.
  server.keepAliveTimeout = config.KEEP_ALIVE_TIMEOUT_MS;
  respondToParserErrors(server, config.PUBLIC_URL ?? '');
  return app;
}

/** Queries and bodies whose rules are wrong fail the start, not the first request. */
function compileRules(routes: readonly Route[]): void {
  for (const { handler } of routes) {
    fieldsOf(queryTypeOf(handler));
    const body = writeRuleOf(handler)?.body;
    if (body !== undefined) fieldsOf(body.type);
  }
}
