import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  CalendarCheck,
  CalendarDays,
  FileUp,
  KeyRound,
  Keyboard,
  List,
  Plus,
  Search,
  SquareKanban,
  Trash2,
  Truck,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { InterruptedChanges } from '../bulk-edit/InterruptedChanges.js';
import { Wordmark } from './Wordmark.js';
import { live } from '../live/live.js';
import { session } from '../session/session.js';
import { Account } from '../session/Account.js';
import { consolePath, serviceUrl, settings } from '../settings.js';
import { useStore } from '../use-store.js';
import { findRecord } from '../views/search.js';
import { announce } from './notice.js';
import { explain } from './faults.js';
import { Moment } from './Moment.js';
import { Shortcuts } from './Shortcuts.js';
import { useKey } from './use-key.js';
import { classes } from './classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from './controls.module.css';
import styles from './Shell.module.css';

/** The frame around every view. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const canCreate = session.can('shipments:write');
  const canImport = canCreate;
  const [showsKeys, setShowsKeys] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const views = useRef<HTMLElement>(null);
  const before = useRef(path);
  // After navigation, focus the start of the new view, unless it has set the focus itself. After a form, focus the link that opened it.
  useEffect(() => {
    const left = before.current;
    if (left === path) return;
    before.current = path;
    if (main.current?.contains(document.activeElement)) return;
    const link = left.startsWith(`${path}/`) ? main.current?.querySelector<HTMLElement>(linkTo(left)) : undefined;
    (link ?? main.current)?.focus();
  }, [path]);
  // On a phone the views scroll.
  useEffect(() => {
    views.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  useKey('?', true, () => setShowsKeys(true));
  useKey('/', true, () => search.current?.focus());
  useKey('t', true, () => navigate('/'));
  useKey('b', true, () => navigate('/board'));
  useKey('l', true, () => navigate('/list'));
  useKey('n', canCreate, () => navigate('/shipments/new'));
  useKey('c', true, () => navigate('/calendar'));
  useKey('i', canImport, () => navigate('/imports'));
  const link = (to: string, Icon: LucideIcon, label: string) => (
    <Link href={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
      <Icon />
      {label}
    </Link>
  );
  return (
    <>
      <a className={styles.skip} href="#main">
        {t.shell.skip}
      </a>
      <header className={styles.bar}>
        <a className={styles.brand} href={`${serviceUrl}/`}>
          <Wordmark height={26} />
        </a>
        <nav ref={views} aria-label={t.shell.views}>
          {link('/', CalendarCheck, t.shell.today)}
          {link('/board', SquareKanban, t.shell.board)}
          {link('/list', List, t.shell.list)}
          {session.can('moves:read') ? link('/moves', Truck, t.shell.moves) : null}
          {link('/calendar', CalendarDays, t.shell.calendar)}
          {canImport ? link('/imports', FileUp, t.shell.import) : null}
          {link('/deleted', Trash2, t.shell.deleted)}
          {settings.acceptsKeys && session.can('keys:read') ? link('/keys', KeyRound, t.shell.keys) : null}
          {session.can('webhooks:read') ? link('/webhooks', Webhook, t.shell.webhooks) : null}
        </nav>
        {canCreate ? (
          <Link
            className={classes(controls.button, controls.primary, styles.new)}
            href="/shipments/new"
            aria-label={t.actions.create}
            title={t.shell.newKey}
          >
            <Plus />
            <span className={styles.wide}>{t.actions.create}</span>
          </Link>
        ) : null}
        <form
          className={styles.search}
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            const text = search.current?.value.trim() ?? '';
            if (text !== '')
              findRecord(text).then(navigate, (error: unknown) => announce(explain(error), { isFault: true }));
          }}
        >
          <Search />
          <input
            ref={search}
            type="search"
            name="search"
            placeholder={t.shell.searchHint}
            aria-label={t.shell.search}
          />
        </form>
        <Connection />
        <Account />
        <button
          type="button"
          className={controls.quiet}
          aria-label={t.shortcuts.title}
          onClick={() => setShowsKeys(true)}
        >
          <Keyboard />
        </button>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {session.can('shipments:write') || session.can('shipments:status') ? <InterruptedChanges /> : null}
        {children}
      </main>
      {showsKeys ? <Shortcuts onClose={() => setShowsKeys(false)} /> : null}
    </>
  );
}

function linkTo(path: string): string {
  return `a[href=${JSON.stringify(consolePath + path)}]`;
}

function Connection() {
  const connection = useStore(live.connection);
  return (
    <span className={classes(styles.connection, styles[connection.kind])} role="status">
      {connection.kind === 'live' ? t.shell.live : null}
      {connection.kind === 'connecting' ? t.shell.connecting : null}
      {connection.kind === 'reconnecting' ? (
        <>
          <span className={styles.widest}>{t.shell.reconnecting}</span>
          <Rich>{t.shell.notLiveSince(<Moment at={connection.since} />)}</Rich>
        </>
      ) : null}
      {connection.kind === 'offline' ? <Rich>{t.shell.offlineSince(<Moment at={connection.since} />)}</Rich> : null}
    </span>
  );
}
