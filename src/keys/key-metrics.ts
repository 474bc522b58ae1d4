import type { RejectedKeys } from '../auth/key-verifier.js';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { Caller } from '../http/request-context.js';
import type { Metrics } from '../operations/metrics.js';

/** Keys with series of their own. The requests of all others are counted together. */
const MAX_KEYS = 1000;

/** Keys that expire within two weeks and were used in the last month; more than these are not counted. */
const EXPIRING = namedStatement('key_expiring')`
  SELECT count(*)::int AS keys FROM (
    SELECT FROM keys k JOIN key_progress p ON p.key_id = k.id
    WHERE k.expires_at > now() AND k.expires_at < now() + interval '14 days' AND p.last_used_at > now() - interval '31 days'
    LIMIT 1000
  ) AS expiring`;
const EXPIRING_HELP = 'API keys that are in use and expire within 14 days';
const REFUSED_HELP = 'Requests with API keys that do not work, by reason: malformed, unknown, expired';
const ANSWERED_HELP = 'Requests by API key and status class; only with MANAGEMENT_PORT';

interface Requests {
  name: string;
  readonly byStatus: Map<string, number>;
}

/** Metrics of API keys. Everybody can read metrics unless they have a port of their own, so only there they name keys. */
export class KeyMetrics {
  private readonly requests = new Map<string, Requests>();
  private readonly isNaming: boolean;

  constructor(
    { MANAGEMENT_PORT }: Pick<Config, 'MANAGEMENT_PORT'>,
    metrics: Metrics,
    refused: Readonly<RejectedKeys>,
    reader: Pick<Database, 'query'>,
  ) {
    this.isNaming = MANAGEMENT_PORT !== undefined;
    metrics.counter('waybill_keys_refused_total', REFUSED_HELP, ['reason'], (counter) => {
      for (const [reason, count] of Object.entries(refused)) counter.labels(reason).inc(count);
    });
    metrics.queriedGauges(() => reader.query(EXPIRING), [['waybill_keys_expiring', 'keys', EXPIRING_HELP]]);
    metrics.counter('waybill_key_requests_total', ANSWERED_HELP, ['subject', 'name', 'status'], (counter) => {
      for (const [subject, { name, byStatus }] of this.requests) {
        for (const [status, count] of byStatus) counter.labels(subject, name, status).inc(count);
      }
    });
  }

  observe({ subject, keyName }: Caller, status: number): void {
    if (keyName === undefined || !this.isNaming) return;
    const isCountedAlone = this.requests.has(subject) || this.requests.size < MAX_KEYS;
    const [key, name] = isCountedAlone ? [subject, keyName] : ['others', ''];
    const requests = this.requests.get(key) ?? { name, byStatus: new Map<string, number>() };
    requests.name = name;
    const statusClass = `${Math.floor(status / 100)}xx`;
    requests.byStatus.set(statusClass, (requests.byStatus.get(statusClass) ?? 0) + 1);
    this.requests.set(key, requests);
  }
}
