import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, StrictMode, Suspense, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { live } from './live/live.js';
import { Announcements } from './components/Announcements.js';
import { ErrorBoundary } from './components/ErrorBoundary.js';
import { fetchViews, lazyView } from './components/lazy-view.js';
import { Loading } from './components/Loading.js';
import { Shell } from './components/Shell.js';
import { preferences } from './preferences.js';
import { queryClient, type HistoryOf } from './queries.js';
import { session } from './session/session.js';
import { SignInAgain, SignInPage } from './session/SignIn.js';
import { consolePath } from './settings.js';
import { Today } from './today/Today.js';
import { ById } from './views/ById.js';
import type { ShipmentView as ShipmentPageView } from './views/ShipmentPage.js';
import { useStore } from './use-store.js';
import { t } from './texts/texts.js';
import page from './components/page.module.css';

const Board = lazyView(() => import('./board/Board.js'));
const List = lazyView(() => import('./views/List.js'));
const ShipmentPage = lazyView(() => import('./views/ShipmentPage.js'));
const MovePage = lazyView(() => import('./views/MovePage.js'));
const Calendar = lazyView(() => import('./calendar/Calendar.js'));
const NewShipmentPage = lazyView(() => import('./create/NewShipmentPage.js'));
const MoveList = lazyView(() => import('./moves/MoveList.js'));
const NewMovePage = lazyView(() => import('./create/NewMovePage.js'));
const ImportPage = lazyView(() => import('./imports/ImportPage.js'));
const PrintPage = lazyView(() => import('./print/PrintPage.js'));
const Deleted = lazyView(() => import('./deleted/Deleted.js'));
const KeyList = lazyView(() => import('./keys/KeyList.js'));
const KeyPage = lazyView(() => import('./keys/KeyPage.js'));
const WebhookList = lazyView(() => import('./webhooks/WebhookList.js'));
const WebhookPage = lazyView(() => import('./webhooks/WebhookPage.js'));

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
  const { kind } = useStore(live.connection);
  // Again after an interruption: some views may be missing.
  useEffect(() => {
    if (kind === 'live') void fetchViews();
  }, [kind]);
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
              <Route path="/shipments/:name/agents/:part">
                {({ name, part }) => <ShipmentView name={name} view={{ kind: 'agent', id: part }} />}
              </Route>
              <Route path="/shipments/:name/services/:part">
                {({ name, part }) => <ShipmentView name={name} view={{ kind: 'service', id: part }} />}
              </Route>
              <Route path="/shipments/:name/print">{({ name }) => <PrintView kind="shipment" name={name} />}</Route>
              <Route path="/moves/:name/print">{({ name }) => <PrintView kind="move" name={name} />}</Route>
              <Route path="/shipments/:name/:mode?">
                {({ name, mode }) => <ShipmentView name={name} view={mode === 'edit' ? 'edit' : 'facts'} />}
              </Route>
              <Route path="/moves/:name/:mode?">
                {({ name, mode }) => (
                  <ById kind="move" name={name}>
                    {(id) => <MovePage key={id} id={id} isEditing={mode === 'edit'} />}
                  </ById>
                )}
              </Route>
              <Route path="/imports/:id?">{({ id }) => <ImportPage id={id} />}</Route>
              <Route path="/deleted">
                <Deleted />
              </Route>
              <Route path="/keys">
                <KeyList />
              </Route>
              <Route path="/keys/:id">{({ id }) => <KeyPage key={id} id={id} />}</Route>
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

function ShipmentView({ name, view }: { readonly name: string; readonly view: ShipmentPageView }) {
  return (
    <ById kind="shipment" name={name}>
      {(id) => <ShipmentPage key={id} id={id} view={view} />}
    </ById>
  );
}

function PrintView({ kind, name }: { readonly kind: HistoryOf['kind']; readonly name: string }) {
  return (
    <ById kind={kind} name={name}>
      {(id) => <PrintPage kind={kind} id={id} />}
    </ById>
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
