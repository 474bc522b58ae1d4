import { comparePatch } from './patch-cost.js';

/** The cost of the event feed for a PATCH; the other side has neither its index on history nor a sequencer. */
await comparePatch({
  usage: `Measures what the feed of events costs a PATCH.

  npm run bench -- event-cost [--rounds N] [--requests N]

  --rounds N    of all variants, taking turns (7)
  --requests N  in each round (2000)`,
  name: 'events',
  remove: (sql) => sql.query('DROP FUNCTION number_events(); DROP INDEX history_position_idx'),
});
