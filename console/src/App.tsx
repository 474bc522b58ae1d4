import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, lazy, StrictMode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { Announcements } from './parts/Announcements.js';
import { ErrorBoundary } from './parts/ErrorBoundary.js';
import { Loading } from './parts/Loading.js';
import { Shell } from './parts/Shell.js';
import { preferences } from './preferences.js';
import { queryClient } from './queries.js';
import { session } from './session/session.js';
import { SignInAgain, SignInPage } from './session/SignIn.js';
import { consolePath } from './settings.js';
import { Today } from './today/Today.js';
import { useStore } from './use-store.js';
import { t } from './texts/texts.js';
import page from './parts/page.module.css';

/** The views that are opened most. They are loaded once the first view is shown, so that opening them does not wait. */
const FREQUENT = {
  board: () => import('./board/Board.js'),
  list: () => import('./views/List.js'),
  shipment: () => import('./views/ShipmentPage.js'),
  move: () => import('./views/MovePage.js'),
};
const Board = lazy(FREQUENT.board);
const List = lazy(FREQUENT.list);
const ShipmentPage = lazy(FREQUENT.shipment);
const MovePage = lazy(FREQUENT.move);
const Calendar = lazy(() => import('./calendar/Calendar.js'));
const NewShipmentPage = lazy(() => import('./create/NewShipmentPage.js'));
const MoveList = lazy(() => import('./moves/MoveList.js'));
const NewMovePage = lazy(() => import('./create/NewMovePage.js'));
const ImportPage = lazy(() => import('./imports/ImportPage.js'));
const PrintPage = lazy(() => import('./print/PrintPage.js'));
const Deleted = lazy(() => import('./deleted/Deleted.js'));
const WebhookList = lazy(() => import('./webhooks/WebhookList.js'));
const WebhookPage = lazy(() => import('./webhooks/WebhookPage.js'));

function LoadingPage() {
  return (
    <div className={page.page}>
      <Loading rows={6} />
    </div>
  );
}

function Console() {
  // Texts and weights are read when they are rendered, so all of them are rendered anew.
  const { language, weightUnit } = useStore(preferences);
  const state = useStore(session.state);
  const [path] = useLocation();
  useEffect(() => {
    // A view that cannot be loaded now is requested again when it is opened.
    for (const load of Object.values(FREQUENT)) load().catch(() => undefined);
  }, []);
  if (state === 'signedOut') return <SignInPage />;
  return (
    <Fragment key={`${language} ${weightUnit}`}>
      <Shell>
        <ErrorBoundary view={path}>
          <Suspense fallback={<LoadingPage />}>
            <Switch>
              <Route path="/">
                <Today />
              </Route>
              <Route path="/board">
                <Board />
              </Route>
              <Route path="/calendar">
                <Calendar />
              </Route>
              <Route path="/list">
                <List />
              </Route>
              <Route path="/shipments">
                <Redirect to="/list" replace />
              </Route>
              <Route path="/moves">
                <MoveList />
              </Route>
              <Route path="/shipments/new">
                <NewShipmentPage />
              </Route>
              <Route path="/moves/new">
                <NewMovePage />
              </Route>
              <Route path="/shipments/:id/agents/:part">
                {({ id, part }) => <ShipmentPage key={id} id={id} view={{ kind: 'agent', id: part }} />}
              </Route>
              <Route path="/shipments/:id/services/:part">
                {({ id, part }) => <ShipmentPage key={id} id={id} view={{ kind: 'service', id: part }} />}
              </Route>
              <Route path="/shipments/:id/print">{({ id }) => <PrintPage kind="shipment" id={id} />}</Route>
              <Route path="/moves/:id/print">{({ id }) => <PrintPage kind="move" id={id} />}</Route>
              <Route path="/shipments/:id/:mode?">
                {({ id, mode }) => <ShipmentPage key={id} id={id} view={mode === 'edit' ? 'edit' : 'facts'} />}
              </Route>
              <Route path="/moves/:id/:mode?">
                {({ id, mode }) => <MovePage key={id} id={id} isEditing={mode === 'edit'} />}
              </Route>
              <Route path="/imports/:id?">{({ id }) => <ImportPage id={id} />}</Route>
              <Route path="/deleted">
                <Deleted />
              </Route>
              <Route path="/webhooks">
                <WebhookList />
              </Route>
              <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
              <Route>
                <div className={page.page}>
                  <h1>{t.faults.noPage}</h1>
                </div>
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Shell>
      {state === 'expired' ? <SignInAgain /> : null}
    </Fragment>
  );
}

export function show(): void {
  createRoot(document.getElementById('console') ?? document.body).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={consolePath}>
          <Console />
          <Announcements />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
