import { useInfiniteQuery } from '@tanstack/react-query';
import type { WebhookWithSecret } from '@waybill/client';
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Ago } from '../components/Moment.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { NewWebhook } from './NewWebhook.js';
import { Secret } from '../components/Secret.js';
import { State } from './State.js';
import { webhooksQuery } from './webhook-queries.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './Webhooks.module.css';

/** All webhooks with their state. */
export default function WebhookList() {
  useTitle(t.shell.webhooks);
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(webhooksQuery());
  const [isAsking, setIsAsking] = useState(false);
  const [created, setCreated] = useState<WebhookWithSecret>();
  const webhooks = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>{t.shell.webhooks}</h1>
        <div className={controls.actions}>
          {session.can('webhooks:write') ? (
            <button type="button" className={controls.primary} onClick={() => setIsAsking(true)}>
              <Plus />
              {t.webhooks.create}
            </button>
          ) : null}
        </div>
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={4} /> : null}
      {data !== undefined && webhooks.length === 0 ? <p className={text.empty}>{t.webhooks.empty}</p> : null}
      <ul className={styles.list}>
        {webhooks.map((webhook) => (
          <li key={webhook.id} className={styles.row}>
            <State state={webhook.state} />
            <Link href={`/webhooks/${webhook.id}`} className={styles.url}>
              {webhook.url}
            </Link>
            <span dir="auto">{webhook.description}</span>
            <span className={text.hint}>
              {webhook.lastDeliveryAt === null ? (
                t.webhooks.nothingYet
              ) : (
                <Rich>{t.webhooks.lastDelivery(<Ago at={webhook.lastDeliveryAt} />)}</Rich>
              )}
              {webhook.failureRate === null ? null : ` · ${t.webhooks.failures(Math.round(100 * webhook.failureRate))}`}
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" onClick={() => void fetchNextPage()}>
          {t.actions.more}
        </button>
      ) : null}
      {isAsking ? (
        <NewWebhook
          onClose={() => setIsAsking(false)}
          onCreated={(webhook) => {
            setIsAsking(false);
            setCreated(webhook);
          }}
        />
      ) : null}
      {created === undefined ? null : (
        <Secret
          title={t.webhooks.secret}
          text={t.webhooks.secretText}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
    </div>
  );
}
