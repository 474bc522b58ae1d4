/** The W3C trace context of a request, for the log. */
export interface Trace {
  readonly traceID: string;
  readonly parentSpanID: string;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Undefined for a missing or malformed header, the forbidden version ff, or all-zero ids. */
export function readTrace(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string' || header.startsWith('ff')) return undefined;
  const [, traceID, parentSpanID] = TRACEPARENT.exec(header) ?? [];
  if (traceID === undefined || parentSpanID === undefined) return undefined;
  return /^0+$/.test(traceID) || /^0+$/.test(parentSpanID) ? undefined : { traceID, parentSpanID };
}
