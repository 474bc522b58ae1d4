import { arrivals } from './live/arrivals.js';
import { live } from './live/live.js';
import { COLUMNS } from './model/status.js';
import { columnQuery, follow, queryClient } from './queries.js';
import { session } from './session/session.js';
import { consolePath, settings } from './settings.js';
import './styles.css';

/** How long the application waits for the place in the feed. Without it, it says that the service does not answer. */
const MAX_MS = 200;

live.onEvents(follow);
live.onEvents((events) => arrivals.collect(events));
live.onBeginAnew(() => void queryClient.invalidateQueries());

/** The feed is followed once somebody may read it. */
function startLive(): void {
  if (settings.needsToken && session.state.get() === 'signedOut') return;
  unsubscribe();
  live.start();
  if (location.pathname.replace(/\/$/, '') !== consolePath) return;
  // A column that cannot be read is asked for once more when it is shown, and says what is wrong.
  for (const status of COLUMNS) queryClient.infiniteQuery(columnQuery(status)).catch(() => undefined);
}
const unsubscribe = session.state.subscribe(startLive);

await session.start();
startLive();

// The board must not be read before the place in the feed is known, or a change between the two would be missed. What it takes to ask for
// both is small and runs first, so that the service reads the board while the application that shows it takes all of the browser's time.
if (session.state.get() === 'signedIn') {
  await Promise.race([live.started, new Promise((resolve) => setTimeout(resolve, MAX_MS))]);
}
const { show } = await import('./App.js');
show();
