// Not through PgBouncer: it checks functions and answers that no connection affects.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Collector, type ReceivedSpan } from '../support/http/collector.js';
import { eventually } from '../support/races/eventually.js';
import { Replica } from '../support/service/replica.js';
import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from '../support/database/test-database.js';

const PARENT = '00f067aa0ba902b7';
const traceOf = (number: number) => `c0ffee${String(number).padStart(26, '0')}`;
const parentOf = (trace: string, flags = '01') => ({ traceparent: `00-${trace}-${PARENT}-${flags}` });

function attribute({ attributes }: Pick<ReceivedSpan, 'attributes'>, name: string): unknown {
  const { value } = attributes.find(({ key }) => key === name) ?? {};
  return Object.values(value ?? {})[0];
}

let database: TestDatabase;
let collector: Collector;
let replica: Replica;

beforeAll(async () => {
  database = await createTestDatabase();
  collector = await Collector.start();
  replica = await Replica.start({
    DATABASE_URL: database.serviceUrl,
    ...POOLER_ENVIRONMENT,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
});
afterAll(async () => {
  await replica.stop();
  await collector.stop();
  await database.drop();
});

async function untilExported(trace: string): Promise<ReceivedSpan[]> {
  const hasRoot = () => collector.of(trace).some(({ parentSpanId }) => parentSpanId === PARENT);
  await eventually(hasRoot, 20_000, `the span of the request of trace ${trace}`);
  return collector.of(trace);
}

test('a request is a span below its traceparent, and its statements are spans below that', async () => {
  const trace = traceOf(1);
  const body = { shipmentType: 'HHG', customerRemarks: 'xyzzy' };
  const { status, headers } = await replica.api.post('/v1/shipments', body, parentOf(trace));
  expect(status).toBe(201);
  const spans = await untilExported(trace);
  const [root] = spans.filter(({ parentSpanId }) => parentSpanId === PARENT);
  expect(root?.name).toBe('POST /v1/shipments');
  const names = ['http.request.method', 'http.route', 'http.response.status_code', 'waybill.request_id'];
  expect(names.map((name) => attribute(root ?? { attributes: [] }, name))).toEqual([
    'POST',
    '/v1/shipments',
    201,
    headers.get('X-Request-ID'),
  ]);
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(statements.length).toBe(spans.length - 1);
  const texts = statements.map((span) => String(attribute(span, 'db.query.text')));
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/BEGIN/), expect.stringMatching(/COMMIT/)]));
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/INSERT INTO "?shipments/)]));
});

test('the log names the trace and the span of the request', async () => {
  const trace = traceOf(2);
  await replica.api.get('/v1/moves', parentOf(trace));
  const [root] = (await untilExported(trace)).filter(({ parentSpanId }) => parentSpanId === PARENT);
  const isLogged = () => replica.lines.some((line) => line.includes(`"traceID":"${trace}","spanID":"${root?.spanId}"`));
  await eventually(isLogged, 20_000, 'the trace is in the log');
});

test('a request without a traceparent begins a trace, whose id is in the log', async () => {
  await replica.api.get('/v1/moves?limit=1', { 'X-Request-ID': 'begins-a-trace' });
  const line = () => replica.lines.find((one) => one.includes('begins-a-trace'));
  await eventually(() => line() !== undefined, 20_000, 'the request is in the log');
  const { traceID } = JSON.parse(line() ?? '{}') as { traceID: string };
  await eventually(() => collector.of(traceID).some(({ name }) => name === 'GET /v1/moves'), 20_000, 'its span');
});

test('requests at the same time do not get the statements of one another', async () => {
  const traces = Array.from({ length: 40 }, (_, number) => traceOf(100 + number));
  await Promise.all(
    traces.map((trace, number) =>
      number % 2 === 0
        ? replica.api.post('/v1/shipments', { shipmentType: 'HHG' }, parentOf(trace))
        : replica.api.get('/v1/shipments?limit=1', parentOf(trace)),
    ),
  );
  const shapes = new Map<string, Set<string>>();
  for (const trace of traces) {
    const spans = await untilExported(trace);
    const root = spans.find(({ parentSpanId }) => parentSpanId === PARENT);
    const children = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(children.length).toBe(spans.length - 1);
    const kind = String(root?.name);
    // A new connection of the pool is checked within the request that it was opened for.
    const own = children.filter((span) => !String(attribute(span, 'db.query.text')).includes('pg_is_in_recovery'));
    expect(own.length).toBeGreaterThan(0);
    const shape = own.map(({ name }) => name).sort();
    shapes.set(kind, (shapes.get(kind) ?? new Set()).add(shape.join()));
  }
  // Each of a kind caused the same statements.
  expect([...shapes].map(([kind, shape]) => [kind, shape.size])).toEqual([
    ['POST /v1/shipments', 1],
    ['GET /v1/shipments', 1],
  ]);
});

test('a caller decides whether its trace is sampled, and health and metrics have no spans', async () => {
  const [unsampled, probe, after] = [traceOf(3), traceOf(4), traceOf(5)];
  await replica.api.get('/v1/moves', parentOf(unsampled, '00'));
  await replica.api.get('/health/ready', parentOf(probe));
  await replica.api.get('/v1/moves', parentOf(after));
  await untilExported(after);
  expect([...collector.of(unsampled), ...collector.of(probe)]).toEqual([]);
});

test('spans name the service, and contain neither values nor callers', async () => {
  const trace = traceOf(6);
  await replica.api.get('/v1/moves?orderID=xyzzy', { ...parentOf(trace), 'User-Agent': 'xyzzy', Cookie: 'xyzzy' });
  await untilExported(trace);
  const all = collector.bodies.join('\n');
  expect(all).not.toMatch(/xyzzy|anonymous|127\.0\.0\.1/);
  const [{ resource } = { resource: { attributes: [] } }] = collector.exported[0]?.resourceSpans ?? [];
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(['service.name', 'service.version'].map((name) => attribute(resource, name))).toEqual(['waybill', version]);
});

/** Of its API, which prom-client needs, the service always has a copy. */
const OPENTELEMETRY = /node_modules\/@opentelemetry\/(?!api\/)/;

test('nothing of OpenTelemetry is loaded without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, name = ''] of code.matchAll(/^(?:import|\} from) .*?"(\.[\w./-]+\.js)";$|^import "(\.[^"]+)";$/gm)) {
      load(join(dirname(file), name));
    }
  };
  load('dist/src/main.js');
  expect(loaded.size).toBeGreaterThan(3);
  const tracing = [...loaded].filter((file) => OPENTELEMETRY.exec(readFileSync(file, 'utf8')));
  expect(tracing).toEqual([]);
  expect(readFileSync('dist/src/main.js', 'utf8')).toMatch(/import\("[./]+chunks\/tracing-/);
});

test('a service whose collector is away serves, says so, and stops', async () => {
  await collector.stop();
  expect((await replica.api.get('/v1/moves')).status).toBe(200);
  const isLogged = () =>
    replica.lines.some((line) => line.includes('"context":"Tracing"') && line.includes('ECONNREFUSED'));
  await eventually(isLogged, 30_000, 'the log says that spans cannot be sent');
  expect(await replica.stop()).toBe(0);
});
