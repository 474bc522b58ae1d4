import type { Webhook, WebhookDelivery } from '@waybill/client';
import { classes } from '../parts/classes.js';
import styles from './Webhooks.module.css';

const LABELS: Readonly<Record<Webhook['state'] | WebhookDelivery['state'], string>> = {
  active: 'Active',
  failing: 'Failing',
  disabled: 'Disabled',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  REQUESTED: 'by a user',
  GONE: 'because the receiver answered 410 Gone',
  FAILING: 'after five days of failures',
};

/** The state of a webhook or of a delivery. */
export function State({ state }: { readonly state: keyof typeof LABELS }) {
  return <span className={classes(styles.state, styles[state])}>{LABELS[state]}</span>;
}

export function reasonOf({ disabledReason }: Webhook): string {
  return disabledReason === null ? '' : REASONS[disabledReason];
}
