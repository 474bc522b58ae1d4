// Spans of the image, at a collector.
import { createServer } from 'node:http';
import { Container } from './replica.mjs';
import { JSON_TYPE, request, until } from './requests.mjs';

export async function checkTracing(world) {
  const { report } = world;
  const traces = [];
  const collector = createServer((received, response) => {
    const parts = [];
    received
      .on('data', (part) => parts.push(part))
      .on('end', () => {
        traces.push({
          path: received.url,
          type: received.headers['content-type'],
          body: Buffer.concat(parts).toString(),
        });
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
  });
  await new Promise((resolve) => collector.listen(0, '10.91.7.1', resolve));
  const { port } = collector.address();
  const replica = new Container(world, 'waybill-traced', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://10.91.7.1:${port}` });
  try {
    await replica.untilHealthy();
    const trace = 'c0ffee00c0ffee00c0ffee00c0ffee00';
    const headers = { ...JSON_TYPE, Host: 'localhost', traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    await request(`http://${replica.address}:3000/v1/shipments`, {
      method: 'POST',
      headers,
      body: { shipmentType: 'HHG' },
    });
    await until(() => traces.some(({ body }) => body.includes(trace)), 30);
    const spans = traces
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => spansOf(body))
      .filter(({ traceId }) => traceId === trace);
    const root = spans.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    report.check('a span of the request, joined to its traceparent', root?.name, /^POST \/v1\/shipments$/);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    report.check(
      'spans of statements below it',
      statements.map(({ name }) => name).slice(0, 3),
      (names) => names.length > 0,
    );
    const logged = `"traceID":"${trace}","spanID":"${root?.spanId}"`;
    report.check('the span in the log', replica.log.includes(logged), true);
  } finally {
    replica.remove();
    collector.closeAllConnections();
    collector.close();
  }
}

function spansOf(body) {
  return JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
