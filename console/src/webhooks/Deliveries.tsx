import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from '@waybill/client';
import { useState } from 'react';
import { client } from '../api.js';
import { Confirm } from '../components/Confirm.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Ago, Moment } from '../components/Moment.js';
import { announce } from '../components/notice.js';
import { session } from '../session/session.js';
import { Fact, Facts } from '../views/Facts.js';
import { State } from './State.js';
import { useAction } from '../components/use-action.js';
import { deliveriesQuery, deliveryQuery } from './webhook-queries.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Webhooks.module.css';

const FILTERS = ['pending', 'delivered', 'failed'] as const;

/** The deliveries of the last 30 days with their attempts, newest first. */
export function Deliveries({ webhook: { id } }: { readonly webhook: Webhook }) {
  const [state, setState] = useState<WebhookDelivery['state']>();
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(deliveriesQuery(id, state));
  const deliveries = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className={styles.deliveries} aria-labelledby="deliveries">
      <header className={styles.head}>
        <h2 id="deliveries">{t.webhooks.deliveries}</h2>
        <label className={controls.filter}>
          <span>{t.webhooks.show}</span>
          <select
            value={state ?? ''}
            onChange={({ target }) => setState(FILTERS.find((each) => each === target.value))}
          >
            <option value="">{t.webhooks.all}</option>
            {FILTERS.map((each) => (
              <option key={each} value={each}>
                {t.webhooks.states[each]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={4} /> : null}
      {data !== undefined && deliveries.length === 0 ? (
        <p>{state === undefined ? t.webhooks.nothingSent : t.webhooks.none}</p>
      ) : null}
      <ul className={styles.list}>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <Delivery delivery={delivery} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" onClick={() => void fetchNextPage()}>
          {t.actions.more}
        </button>
      ) : null}
    </section>
  );
}

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { id, webhookID, type, state, createdAt, nextAttemptAt, attempts } = delivery;
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const { run, isRunning, fault } = useAction('webhooks');
  const redeliver = () =>
    run('redeliver', async (options) => {
      await client.webhooks.redeliver(webhookID, id, options);
      announce(t.webhooks.sentAgain);
      setIsAsked(false);
    });
  return (
    <details className={styles.delivery} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <State state={state} /> {type} <Ago at={createdAt} />
        {attempts.length > 1 ? t.webhooks.attempts(attempts.length) : ''}
      </summary>
      <Facts>
        <Fact label="webhook-id">
          <span className={styles.url}>{id}</span>
        </Fact>
        {nextAttemptAt === null ? null : (
          <Fact label={t.webhooks.next}>
            <Moment at={nextAttemptAt} />
          </Fact>
        )}
      </Facts>
      {isOpen ? <Sent delivery={delivery} /> : null}
      <h3>{t.webhooks.attemptsHeading}</h3>
      <ol>
        {attempts.map(({ attemptedAt, status, durationMs, error, answer }) => (
          <li key={attemptedAt}>
            <Moment at={attemptedAt} />: {status ?? error}, {durationMs} ms
            {answer === null || answer === '' ? null : <pre>{answer}</pre>}
          </li>
        ))}
      </ol>
      {session.can('webhooks:write') ? (
        <button type="button" onClick={() => setIsAsked(true)}>
          {t.webhooks.askAgain}
        </button>
      ) : null}
      {isAsked ? (
        <Confirm
          title={t.webhooks.sendAgainTitle}
          action={t.webhooks.sendAgain}
          isRunning={isRunning}
          fault={fault}
          onConfirm={() => void redeliver()}
          onClose={() => setIsAsked(false)}
        >
          <p>{t.webhooks.sendAgainText}</p>
        </Confirm>
      ) : null}
    </details>
  );
}

/** The request of a delivery. */
function Sent({ delivery: { webhookID, id } }: { readonly delivery: WebhookDelivery }) {
  const { data, error, refetch } = useQuery(deliveryQuery(webhookID, id));
  const { request } = data ?? {};
  return (
    <>
      <h3>{t.webhooks.request}</h3>
      <Fault error={error} onRetry={() => void refetch()} />
      {request === undefined ? null : (
        <>
          <pre>{headOf(request)}</pre>
          {request.body === null ? <p>{t.webhooks.noBody}</p> : <pre>{formatted(request.body)}</pre>}
        </>
      )}
    </>
  );
}

function headOf({ url, headers }: NonNullable<WebhookDelivery['request']>): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), undefined, 2);
}
