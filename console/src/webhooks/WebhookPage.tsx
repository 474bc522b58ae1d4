import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '@waybill/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../api.js';
import { ConfirmRemoval } from '../components/ConfirmRemoval.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Moment } from '../components/Moment.js';
import { announce } from '../components/notice.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { Fact, Facts } from '../views/Facts.js';
import { Deliveries } from './Deliveries.js';
import { Replay } from './Replay.js';
import { ReplaceSecret } from '../components/ReplaceSecret.js';
import { reasonOf, State } from './State.js';
import { classes } from '../components/classes.js';
import { useAction } from '../components/use-action.js';
import { webhookQuery } from './webhook-queries.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import styles from './Webhooks.module.css';

/** A webhook, its deliveries and what can be done with it. */
export default function WebhookPage({ id }: { readonly id: string }) {
  useTitle(t.webhooks.one);
  const { data: webhook, error, isPending, refetch } = useQuery(webhookQuery(id));
  return (
    <div className={classes(page.page, styles.webhook)}>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={6} /> : null}
      {webhook === undefined ? null : (
        <>
          <header className={page.head}>
            <h1>{t.webhooks.one}</h1>
            {session.can('webhooks:write') ? <Actions webhook={webhook} /> : null}
          </header>
          <WebhookFacts webhook={webhook} />
          <Deliveries webhook={webhook} />
        </>
      )}
    </div>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, state, types, payload, description, disabledAt, lastDeliveryAt } = webhook;
  return (
    <Facts>
      <Fact label={t.webhooks.receiver}>
        <span className={styles.url}>{url}</span>
      </Fact>
      <Fact label={t.webhooks.state}>
        <State state={state} />
        {disabledAt === null ? null : (
          <>
            {' '}
            {reasonOf(webhook)}, <Moment at={disabledAt} />
          </>
        )}
      </Fact>
      <Fact label={t.webhooks.last}>
        {lastDeliveryAt === null ? t.webhooks.noneYet : <Moment at={lastDeliveryAt} />}
      </Fact>
      <Fact label={t.webhooks.events}>{types === null ? t.webhooks.all : types.join(', ')}</Fact>
      <Fact label={t.webhooks.payload}>{payload === 'full' ? t.webhooks.full : t.webhooks.thin}</Fact>
      {description === null ? null : <Fact label={t.fields.labels.description}>{description}</Fact>}
    </Facts>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { id, eTag, enabled } = webhook;
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'replay' | 'rotate' | 'delete'>();
  const close = () => setDialog(undefined);
  const { run, isRunning, fault } = useAction('webhooks');
  const toggle = () =>
    run(`enable ${eTag}`, async (options) => {
      await client.webhooks.patch(id, { enabled: !enabled }, { ...options, ifMatch: eTag });
      announce(enabled ? t.webhooks.disabled : t.webhooks.enabled);
    });
  const ping = () =>
    run('ping', async (options) => {
      await client.webhooks.ping(id, options);
      announce(t.webhooks.pinged);
    });
  return (
    <div className={controls.actions}>
      <Fault error={fault} />
      <button type="button" disabled={isRunning || !enabled} onClick={() => void ping()}>
        {t.webhooks.ping}
      </button>
      <button type="button" onClick={() => setDialog('replay')}>
        {t.webhooks.askReplay}
      </button>
      <button type="button" onClick={() => setDialog('rotate')}>
        {t.webhooks.rotate}
      </button>
      <button type="button" onClick={() => setDialog('delete')}>
        {t.removal.open}
      </button>
      <button
        type="button"
        className={enabled ? undefined : controls.primary}
        disabled={isRunning}
        onClick={() => void toggle()}
      >
        {enabled ? t.webhooks.disable : t.webhooks.enable}
      </button>
      {dialog === 'replay' ? <Replay id={id} onClose={close} /> : null}
      {dialog === 'rotate' ? (
        <ReplaceSecret
          list="webhooks"
          record={webhook}
          title={t.webhooks.replacing.title}
          texts={t.webhooks}
          replace={async (options) => (await client.webhooks.rotateSecret(id, options)).secret}
          onClose={close}
        />
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmRemoval
          verb="delete"
          kind="webhook"
          record={webhook}
          name={t.webhooks.theWebhook}
          remove={(options) => client.webhooks.delete(id, options)}
          onClose={close}
          onRemoved={() => navigate('/webhooks')}
        >
          <p>{t.webhooks.notSent}</p>
        </ConfirmRemoval>
      ) : null}
    </div>
  );
}
