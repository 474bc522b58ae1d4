import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { releaseVersion } from '../config/project-folder.js';
import { contextOf, type RequestOutcome } from '../http/request-context.js';
import { wrapRequests } from '../server/express-server.js';
import { StatementSpans } from './internals/statement-spans.js';
import { isManagementPath } from './management-server.js';

/** How long shutdown waits for a collector that does not respond. */
const FLUSH_WITHIN_MS = 2000;

/**
 * Sends a span for each request, with a child span for each statement, to the collector at OTEL_EXPORTER_OTLP_ENDPOINT. Only this file
 * and `internals/` import OpenTelemetry, and only if that variable is set. The packages read the other variables of OpenTelemetry
 * themselves (OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES, OTEL_BSP_...).
 *
 * Spans contain route patterns and the texts of statements, but no values that clients sent.
 */
export function startTracing(logger: Logger): { stop(): Promise<void> } {
  const report = (message: string) => logger.warn({ context: 'Tracing' }, message);
  const silent = () => undefined;
  diag.setLogger({ error: report, warn: report, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);
  const named = resourceFromAttributes({
    'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'waybill',
    'service.version': releaseVersion(),
  });
  const provider = new BasicTracerProvider({
    resource: detectResources({ detectors: [envDetector] }).merge(named),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  new StatementSpans().patch();
  wrapRequests(inSpans);
  return {
    stop: () => Promise.race([provider.shutdown().catch(silent), sleep(FLUSH_WITHIN_MS, undefined, { ref: false })]),
  };
}

function inSpans(listener: RequestListener): RequestListener {
  const tracer = trace.getTracer('waybill');
  return (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    if (isManagementPath(path)) {
      listener(request, response);
      return;
    }
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(request.method ?? '', { kind: SpanKind.SERVER }, parent);
    const { traceId, spanId } = span.spanContext();
    contextOf(request).span = { traceID: traceId, spanID: spanId, end: (outcome) => endSpan(span, outcome) };
    context.with(trace.setSpan(parent, span), () => listener(request, response));
  };
}

function endSpan(span: Span, outcome: RequestOutcome): void {
  const { method, route, status, code, requestID } = outcome;
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'waybill.request_id': requestID,
    ...(code !== undefined && { 'error.type': code }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
