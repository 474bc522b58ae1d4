import type { Request } from 'express';
import type { Logger } from 'pino';
import { addressOf } from '../http/client-address.js';
import type { Preparation } from '../http/preparation.js';
import { contextOf } from '../http/request-context.js';
import type { Metrics } from './metrics.js';
import { readTrace } from './trace.js';

/**
 * One line and one measurement for each request. No bodies, tokens or query values: the route is the pattern that was
 * matched, never what the client wrote.
 */
export function requestLog(
  logger: Logger,
  metrics: Metrics,
  patternOf: (path: string) => string | undefined,
): Preparation {
  return (request, response) => {
    const start = process.hrtime.bigint();
    // Not known any more once the connection is gone.
    const address = addressOf(request);
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const { problemCode: code, requestID, caller, isFile } = contextOf(request);
      const pattern = matchedRoute(request) ?? patternOf(request.path) ?? 'unmatched';
      const route = isFile ? `${pattern} (file)` : pattern;
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.answered(request.method, route, status, seconds);
      logger.info({
        msg: 'request',
        method: request.method,
        route,
        status,
        code,
        durationMs: Math.round(seconds * 1e6) / 1e3,
        requestID,
        subject: caller.subject,
        address,
        ...readTrace(request.headers.traceparent),
      });
    });
  };
}

/** Undefined for a request that was refused before Express looked for its route, such as one without a token. */
function matchedRoute(request: Request): string | undefined {
  return (request.route as { path?: string } | undefined)?.path;
}
