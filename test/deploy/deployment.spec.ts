import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
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
