import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.js';
import { DeliveryMetrics } from '../../src/deliveries/delivery-metrics.js';
import { EventMetrics } from '../../src/events/event-metrics.js';
import type { EventStreams } from '../../src/events/event-streams.js';
import type { EventsConnection } from '../../src/events/events-connection.js';
import { Slots } from '../../src/http/slots.js';
import { Metrics } from '../../src/operations/metrics.js';
import type { Json } from '../support/http/api.js';

function read(file: string): string {
  return readFileSync(`deploy/${file}`, 'utf8');
}

/** The documents of a YAML file; a fault in it fails the test with its place. */
function documents(file: string): Json[] {
  return parseAllDocuments(read(file), { strict: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS({ maxAliasCount: 100 });
  });
}

test('every metric that the dashboard and the alerts name is one that the service has', async () => {
  const metrics = new Metrics(() => ({ total: 0, idle: 0, waiting: 0 }), new Slots());
  const away = { query: () => Promise.reject(new Error('no database')) } as unknown as EventsConnection;
  new EventMetrics(metrics, away, { cutOff: 0 } as EventStreams);
  new DeliveryMetrics(metrics, away);
  const known = (await metrics.registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  for (const file of ['grafana-dashboard.json', 'helm/waybill/alerts.yaml']) {
    const named = [...new Set(read(file).match(/\b(waybill|process|nodejs)_[a-z0-9_]+/g))];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json'));
  for (const { title, targets } of panels) {
    expect([title, targets.every(({ expr }: Json) => /(waybill|process|nodejs)_/.test(expr))]).toEqual([title, true]);
  }
});

test('every alert says what is wrong and what to do', () => {
  for (const { alert, expr, labels, annotations } of documents('helm/waybill/alerts.yaml')[0].groups[0].rules) {
    expect(alert).toMatch(/^Waybill/);
    expect(expr).toMatch(/./);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/./);
  }
});

test('nginx drops idle connections to a replica before the replica does', () => {
  const upstream = /upstream service \{[^}]*keepalive_timeout (\d+)s/.exec(read('nginx.conf'));
  expect(Number(upstream?.[1]) * 1000).toBeLessThan(
    readConfig({ NODE_ENV: 'production', AUTH_MODE: 'off' }).DRAIN_DELAY_MS,
  );
});
