import { isProblem, NoAnswerError } from '@waybill/client';
import { arrivals } from './live/arrivals.js';
import { follow } from './live/follow.js';
import { live } from './live/live.js';
import { today } from './model/format.js';
import { COLUMNS } from './model/status.js';
import { withdrawFaults } from './components/notice.js';
import { cache, columnQuery, overviewQuery, queryClient } from './queries.js';
import { session } from './session/session.js';
import { consolePath, settings } from './settings.js';
import { keepVisits } from './today/last-visit.js';

import { startPreferences } from './preferences.js';
import { startTab } from './tab.js';
import './styles.css';

/** How long the application waits for the session, and for the event cursor, before it renders anyway. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

live.onEvents(follow);
live.onEvents((events) => arrivals.collect(events));
live.connection.subscribe(() => {
  if (live.connection.get().kind !== 'live') return;
  withdrawFaults();
  // What could not be read meanwhile.
  cache.outdate(({ state: { error } }) => error instanceof NoAnswerError || isProblem(error, 'UNAVAILABLE'));
});
keepVisits();
live.onBeginAnew(() => cache.beginAnew());

/** Starts following the feed once the user is signed in. */
function startLive(): void {
  if (settings.needsToken && session.state.get() === 'signedOut') return;
  unsubscribe();
  live.start();
  // A request that fails here is repeated when its result is shown, and then shows the error.
  const path = location.pathname.replace(/\/$/, '');
  const isBoard = path === `${consolePath}/board`;
  if (isBoard) for (const status of COLUMNS) queryClient.infiniteQuery(columnQuery(status)).catch(() => undefined);
  if (isBoard || path === consolePath) queryClient.query(overviewQuery({ today: today() })).catch(() => undefined);
}
const unsubscribe = session.state.subscribe(startLive);

// The browser must not bring a page back that was left, perhaps by another person.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const language = startPreferences();
const prepared = Promise.all([language, startTab()]);
// A fault of the sign-in is reported in the language of the user.
if (settings.signIn !== undefined) await language;
// The application shows that the user is signing in if the issuer takes longer.
await Promise.race([session.start(), pause()]);
startLive();

// The view must not be read before the event cursor is known, or a change between the two would be missed. The code that requests both is
// small and runs first, so that the service reads the view while the browser loads the application.
if (session.state.get() === 'signedIn') {
  await Promise.race([live.started, pause()]);
}
await prepared;
const { show } = await import('./App.js');
show();
