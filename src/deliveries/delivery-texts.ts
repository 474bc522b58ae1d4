export const LIST_TEXT =
  'With every attempt, the status and the first kilobyte of the answer. Deliveries are kept for 30 days.';

export const PING_TEXT =
  'Sends an event of the type `webhook.ping`, which is not in the feed. Read the delivery to see the answer.';

export const REDELIVER_TEXT =
  'Sends the event again with the same `webhook-id`, and with all attempts. A pending delivery is sent at once.';

export const REPLAY_TEXT =
  'Sends the matching events after `after` up to `until` again, at most 10,000, in order per record. Each has the `webhook-id` of its first delivery, so that a receiver recognizes what it already has.';
