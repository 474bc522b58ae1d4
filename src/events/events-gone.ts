import { EXAMPLE_CURSOR } from '../openapi/examples.js';
import type { FeatureProblem } from '../openapi/problem-example.js';

export const EVENTS_GONE: FeatureProblem = {
  code: 'EVENTS_GONE',
  status: 410,
  title: 'The events after this cursor are no longer available',
  meaning:
    'The next events were archived with their month of history, or the cursor was issued by another database or before this one was restored from a backup.',
  remedy:
    'Read all records again, then follow the events from there. "oldest" is a cursor to the oldest available event.',
  members: {
    oldest: { type: 'string', description: 'A cursor for `after` that starts at the oldest available event.' },
  },
  example: {
    detail:
      'This cursor was issued by another database, or before this one was restored from a backup. Read all records again, then continue after "oldest".',
    instance: '/v1/events',
    members: { oldest: EXAMPLE_CURSOR },
  },
};
