import type { Webhook, WebhookDelivery } from '@waybill/client';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import styles from './Webhooks.module.css';

/** The state of a webhook or of a delivery. */
export function State({ state }: { readonly state: Webhook['state'] | WebhookDelivery['state'] }) {
  return <span className={classes(styles.state, styles[state])}>{t.webhooks.states[state]}</span>;
}

export function reasonOf({ disabledReason }: Webhook): string {
  return disabledReason === null ? '' : t.webhooks.reasons[disabledReason];
}
