import type { Logger } from 'pino';
import { subjectOf } from '../http/caller.js';
import type { Preparation } from '../http/preparation.js';
import { requestIDOf } from '../problem/request-id.js';
import type { Metrics } from './metrics.js';
import { readTrace } from './trace.js';

/**
 * One line and one measurement for each request. No bodies, tokens or query values: the route is the pattern that was
 * matched, never what the client wrote.
 */
export function requestLog(logger: Logger, metrics: Metrics): Preparation {
  return (request, response) => {
    const start = process.hrtime.bigint();
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unmatched';
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.answered(request.method, route, status, seconds);
      logger.info({
        msg: 'request',
        method: request.method,
        route,
        status,
        durationMs: Math.round(seconds * 1e6) / 1e3,
        requestID: requestIDOf(request),
        subject: subjectOf(request),
        ...readTrace(request.headers.traceparent),
      });
    });
  };
}
