import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import pg from 'pg';

/**
 * OpenTelemetry's spans of statements. Statements outside a request have no span. Literals are removed from the texts, because one of them
 * is the author of a change.
 *
 * Relies on: the protected method `init` returns the patches of each package.
 * Buys: no speed. OpenTelemetry patches pg when it is loaded, but here pg is part of the bundle and already loaded.
 * Without it: `Database` would have to start the spans of statements itself.
 */
export class StatementSpans extends PgInstrumentation {
  constructor() {
    super({
      enabled: false,
      requireParentSpan: true,
      ignoreConnectSpans: true,
      requestHook: (span, { query: { text } }) => {
        span.setAttribute('db.query.text', text.replace(/'(?:[^']|'')*'/g, `'…'`));
      },
    });
  }

  patch(): void {
    for (const { name, patch } of this.init()) if (name === 'pg') patch?.(pg);
  }
}
