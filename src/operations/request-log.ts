import type { Logger } from 'pino';
import { addressOf } from '../http/client-address.js';
import type { BeforeRouting } from '../http/request-head.js';
import { contextOf, type Caller } from '../http/request-context.js';
import { isManagementPath } from './management-server.js';
import type { Metrics } from './metrics.js';

/** Logs and measures each request. Omits bodies, tokens and query values: the route is the matched pattern, not the client's input. */
export function requestLog(
  logger: Logger,
  metrics: Metrics,
  patternOf: (path: string) => string | undefined,
  byCaller?: { observe(caller: Caller, status: number): void },
): BeforeRouting {
  return (request, response) => {
    const start = process.hrtime.bigint();
    // Unavailable after the connection closes.
    const address = addressOf(request);
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const { problemCode: code, requestID, caller, isFile, span } = contextOf(request);
      // A request that was rejected before routing, e.g. without a token, has no route.
      const { path = patternOf(request.path) ?? 'unmatched' } = (request.route ?? {}) as { path?: string };
      const route = isFile ? `${path} (file)` : path;
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.observe(request.method, route, status, seconds);
      byCaller?.observe(caller, status);
      span?.end({ method: request.method, route, status, code, requestID });
      // Probes and scrapers call every few seconds. Readiness logs when its result changes.
      const level = isManagementPath(request.path) ? 'debug' : 'info';
      logger[level]({
        msg: 'request',
        method: request.method,
        route,
        status,
        code,
        durationMs: Math.round(seconds * 1e6) / 1e3,
        requestID,
        subject: caller.subject,
        keyName: caller.keyName,
        address,
        ...(span === undefined
          ? readTrace(request.headers.traceparent)
          : { traceID: span.traceID, spanID: span.spanID }),
      });
    });
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The W3C trace context; undefined for a missing or malformed header, the forbidden version ff, or all-zero ids. */
function readTrace(header: string | string[] | undefined): object | undefined {
  if (typeof header !== 'string' || header.startsWith('ff')) return undefined;
  const [, traceID, parentSpanID] = TRACEPARENT.exec(header) ?? [];
  if (traceID === undefined || parentSpanID === undefined) return undefined;
  return /^0+$/.test(traceID) || /^0+$/.test(parentSpanID) ? undefined : { traceID, parentSpanID };
}
