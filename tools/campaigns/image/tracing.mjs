// Spans of the image, at a collector.
import { Container } from './replica.mjs';
import { JSON_TYPE, request, until } from './requests.mjs';

const CALLER = { trace: 'c0ffee00c0ffee00c0ffee00c0ffee00', span: '00f067aa0ba902b7' };

/** Writes each request as a line of its path and its body, which is JSON. */
const COLLECTOR = `require('node:http').createServer((received, response) => {
  let body = '';
  received.on('data', (part) => (body += part)).on('end', () => {
    console.log(received.url, body);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
}).listen(4318)`;

export async function checkTracing(world) {
  const { report } = world;
  const collector = new Container(world, 'waybill-collector', {}, ['node', '--eval', COLLECTOR]);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://waybill-collector:4318' };
  const replica = new Container(world, 'waybill-traced', endpoint);
  try {
    await replica.untilHealthy();
    const headers = { ...JSON_TYPE, traceparent: `00-${CALLER.trace}-${CALLER.span}-01` };
    await request(`${replica.url(3000)}/v1/shipments`, { method: 'POST', headers, body: { shipmentType: 'HHG' } });
    await until(() => collector.log.includes(CALLER.trace), 30);
    const spans = [...collector.log.matchAll(/^\/v1\/traces (.*)$/gm)]
      .flatMap(([, body]) => spansOf(body))
      .filter(({ traceId }) => traceId === CALLER.trace);
    const root = spans.find(({ parentSpanId }) => parentSpanId === CALLER.span);
    report.check('a span of the request, joined to its traceparent', root?.name, /^POST \/v1\/shipments$/);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    report.check(
      'spans of statements below it',
      statements.map(({ name }) => name).slice(0, 3),
      (names) => names.length > 0,
    );
    const logged = `"traceID":"${CALLER.trace}","spanID":"${root?.spanId}"`;
    report.check('the span in the log', replica.log.includes(logged), true);
  } finally {
    replica.remove();
    collector.remove();
  }
}

function spansOf(body) {
  return JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
