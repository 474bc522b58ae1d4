import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { Board } from './board/Board.js';
import { Announcements } from './parts/Announcements.js';
import { ErrorBoundary } from './parts/ErrorBoundary.js';
import { Loading } from './parts/Loading.js';
import { Shell } from './parts/Shell.js';
import { queryClient } from './queries.js';
import { session } from './session/session.js';
import { SignInAgain, SignInPage } from './session/SignIn.js';
import { consolePath } from './settings.js';
import { Today } from './today/Today.js';
import { useStore } from './use-store.js';
import { List } from './views/List.js';
import { MovePage } from './views/MovePage.js';
import { ShipmentPage } from './views/ShipmentPage.js';

const Calendar = lazy(() => import('./calendar/Calendar.js'));
const NewShipmentPage = lazy(() => import('./create/NewShipmentPage.js'));
const MoveList = lazy(() => import('./moves/MoveList.js'));
const NewMovePage = lazy(() => import('./create/NewMovePage.js'));
const ImportPage = lazy(() => import('./imports/ImportPage.js'));
const PrintPage = lazy(() => import('./print/PrintPage.js'));
const WebhookList = lazy(() => import('./webhooks/WebhookList.js'));
const WebhookPage = lazy(() => import('./webhooks/WebhookPage.js'));

function LoadingPage() {
  return (
    <div className="page">
      <Loading rows={6} />
    </div>
  );
}

function Console() {
  const state = useStore(session.state);
  const [path] = useLocation();
  if (state === 'signedOut') return <SignInPage />;
  return (
    <>
      <Shell>
        <ErrorBoundary view={path}>
          <Switch>
            <Route path="/">
              <Today />
            </Route>
            <Route path="/board">
              <Board />
            </Route>
            <Route path="/calendar">
              <Suspense fallback={<LoadingPage />}>
                <Calendar />
              </Suspense>
            </Route>
            <Route path="/list">
              <List />
            </Route>
            <Route path="/shipments">
              <Redirect to="/list" replace />
            </Route>
            <Route path="/moves">
              <Suspense fallback={<LoadingPage />}>
                <MoveList />
              </Suspense>
            </Route>
            <Route path="/shipments/new">
              <Suspense fallback={<LoadingPage />}>
                <NewShipmentPage />
              </Suspense>
            </Route>
            <Route path="/moves/new">
              <Suspense fallback={<LoadingPage />}>
                <NewMovePage />
              </Suspense>
            </Route>
            <Route path="/shipments/:id/agents/:part">
              {({ id, part }) => <ShipmentPage key={id} id={id} view={{ kind: 'agent', id: part }} />}
            </Route>
            <Route path="/shipments/:id/services/:part">
              {({ id, part }) => <ShipmentPage key={id} id={id} view={{ kind: 'service', id: part }} />}
            </Route>
            <Route path="/shipments/:id/print">
              {({ id }) => (
                <Suspense fallback={<LoadingPage />}>
                  <PrintPage kind="shipment" id={id} />
                </Suspense>
              )}
            </Route>
            <Route path="/moves/:id/print">
              {({ id }) => (
                <Suspense fallback={<LoadingPage />}>
                  <PrintPage kind="move" id={id} />
                </Suspense>
              )}
            </Route>
            <Route path="/shipments/:id/:mode?">
              {({ id, mode }) => <ShipmentPage key={id} id={id} view={mode === 'edit' ? 'edit' : 'facts'} />}
            </Route>
            <Route path="/moves/:id/:mode?">
              {({ id, mode }) => <MovePage key={id} id={id} isEditing={mode === 'edit'} />}
            </Route>
            <Route path="/imports/:id?">
              {({ id }) => (
                <Suspense fallback={<LoadingPage />}>
                  <ImportPage id={id} />
                </Suspense>
              )}
            </Route>
            <Route path="/webhooks">
              <Suspense fallback={<LoadingPage />}>
                <WebhookList />
              </Suspense>
            </Route>
            <Route path="/webhooks/:id">
              {({ id }) => (
                <Suspense fallback={<LoadingPage />}>
                  <WebhookPage key={id} id={id} />
                </Suspense>
              )}
            </Route>
            <Route>
              <div className="page">
                <h1>Page not found</h1>
              </div>
            </Route>
          </Switch>
        </ErrorBoundary>
      </Shell>
      {state === 'expired' ? <SignInAgain /> : null}
    </>
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
