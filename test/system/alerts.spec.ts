import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { describeWith, findTool } from '../support/repository/tools.js';

const RULES = resolve('deploy/helm/waybill/alerts.yaml');

/** As the Prometheus Operator names what a PodMonitor finds. */
const A = 'job="shipping/waybill",instance="10.0.0.1:9000"';
const B = 'job="shipping/waybill",instance="10.0.0.2:9000"';
const OTHER = 'job="other",instance="10.0.0.9:80"';
const replica = (labels: string) => [
  { series: `up{${labels}}`, values: '1x60' },
  { series: `waybill_slots_limit{kind="streams",${labels}}`, values: '5000x60' },
];

interface Case {
  readonly title: string;
  readonly series: readonly { readonly series: string; readonly values: string }[];
  readonly at: string;
  /** Alerts and the instances that they name. */
  readonly firing: Readonly<Record<string, readonly (string | undefined)[]>>;
}

const HEALTHY = [...replica(A), ...replica(B), { series: `up{${OTHER}}`, values: '0x60' }];

const CASES: Case[] = [
  { title: 'nothing, while both replicas answer and something else is down', series: HEALTHY, at: '30m', firing: {} },
  {
    title: 'WaybillReplicaDown, when one of two does not answer',
    series: [
      ...replica(B),
      { series: `up{${A}}`, values: '1x10 0x50' },
      { series: `waybill_slots_limit{kind="streams",${A}}`, values: '5000x10 stale' },
    ],
    at: '15m',
    firing: { WaybillReplicaDown: ['10.0.0.1:9000'] },
  },
  {
    title: 'nothing for a replica that was replaced and is no target any more',
    series: [
      ...replica(B),
      { series: `up{${A}}`, values: '1x10 stale' },
      { series: `waybill_slots_limit{kind="streams",${A}}`, values: '5000x10 stale' },
    ],
    at: '15m',
    firing: {},
  },
  {
    title: 'WaybillDown, when no pod is left',
    series: [
      { series: `up{${A}}`, values: '1x10 stale' },
      { series: `waybill_slots_limit{kind="streams",${A}}`, values: '5000x10 stale' },
    ],
    at: '15m',
    firing: { WaybillDown: [undefined] },
  },
  { title: 'WaybillDown, when there never was one', series: [], at: '5m', firing: { WaybillDown: [undefined] } },
  {
    title: 'WaybillEventLoopLag for a replica, not for another service',
    series: [
      ...HEALTHY,
      { series: `nodejs_eventloop_lag_p99_seconds{${A}}`, values: '0.5x60' },
      { series: `nodejs_eventloop_lag_p99_seconds{${OTHER}}`, values: '0.5x60' },
    ],
    at: '10m',
    firing: { WaybillEventLoopLag: ['10.0.0.1:9000'] },
  },
  {
    title: 'WaybillRoleNotSeparated, when the role of the service could change history',
    series: [
      ...HEALTHY,
      { series: `waybill_role_excess_rights{role="waybill_owner",${A}}`, values: '3x60' },
      { series: `waybill_role_excess_rights{role="waybill_service",${B}}`, values: '0x60' },
    ],
    at: '20m',
    firing: { WaybillRoleNotSeparated: [undefined] },
  },
  {
    title: 'WaybillErrors and WaybillInternalErrors, when 2 % of requests fail',
    series: [
      ...HEALTHY,
      { series: `waybill_http_request_duration_seconds_count{status="200",${A}}`, values: '0+98x60' },
      { series: `waybill_http_request_duration_seconds_count{status="500",${A}}`, values: '0+2x60' },
    ],
    at: '20m',
    firing: { WaybillErrors: [undefined], WaybillInternalErrors: [undefined] },
  },
  {
    title: 'WaybillWebhooksBehind, also while the receiver of another webhook fails',
    series: [
      ...HEALTHY,
      { series: `waybill_webhooks_failing{${A}}`, values: '1x60' },
      { series: `waybill_webhook_overdue_seconds{${A}}`, values: '0x10 0+60x50' },
    ],
    at: '30m',
    firing: { WaybillWebhooksBehind: [undefined] },
  },
  {
    title: 'WaybillKeysRefused, when a program repeats a revoked key, not for mistyped ones',
    series: [
      ...HEALTHY,
      { series: `waybill_keys_refused_total{reason="malformed",${A}}`, values: '0+100x90' },
      { series: `waybill_keys_refused_total{reason="unknown",${A}}`, values: '0x10 0+1x80' },
      { series: `waybill_keys_refused_total{reason="expired",${A}}`, values: '0x90' },
    ],
    at: '60m',
    firing: { WaybillKeysRefused: [undefined] },
  },
  {
    title: 'WaybillKeysExpire, when a key that is in use expires soon',
    series: [...HEALTHY, ...[A, B].map((labels) => ({ series: `waybill_keys_expiring{${labels}}`, values: '1x60' }))],
    at: '45m',
    firing: { WaybillKeysExpire: [undefined] },
  },
];

describeWith(['promtool'], 'the alerts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-alerts-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const promtool = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(findTool('promtool') ?? '', words, { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };

  it('are rules that Prometheus reads', () => {
    expect(promtool('check', 'rules', RULES)).toMatchObject({ status: 0 });
  });

  /** Compares names and instances alone: promtool's own comparison would need every text. */
  function firing({ series, at }: Case): Record<string, (string | undefined)[]> {
    const test = {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: series,
          promql_expr_test: [{ expr: 'ALERTS{alertstate="firing"}', eval_time: at, exp_samples: [] }],
        },
      ],
    };
    const file = join(folder, 'test.yaml');
    writeFileSync(file, stringify(test));
    const { said } = promtool('test', 'rules', file);
    const [, got = ''] = /got:\s*(.*)/s.exec(said) ?? [];
    const found: Record<string, (string | undefined)[]> = {};
    for (const [, labels = ''] of got.matchAll(/{__name__="ALERTS"([^}]*)}/g)) {
      const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1];
      (found[label('alertname') ?? ''] ??= []).push(label('instance'));
    }
    return found;
  }

  it.each(CASES)('that fire: $title', (one) => {
    expect(firing(one)).toEqual(one.firing);
  });
});
