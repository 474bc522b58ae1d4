import { useEffect } from 'react';
import { live } from '../live/live.js';
import { mayReloadAt } from '../model/reloads.js';
import { tabStorage } from '../storage.js';
import { useStore } from '../use-store.js';
import { forgetMissing } from './lazy-view.js';
import { t } from '../texts/texts.js';
import page from './page.module.css';

const RETRY_MS = 1000;
const MAX_RETRIES = 3;
const RELOADED_KEY = 'waybill.reloaded';

interface MissingViewProps {
  /** How often the view was tried. */
  readonly tries: number;
  readonly onRetry: () => void;
}

/**
 * Stands in for a view whose code cannot be fetched, and tries again once the service can be reached. If the service no longer has the code,
 * because it was upgraded, the page is loaded anew.
 */
export function MissingView({ tries, onRetry }: MissingViewProps) {
  const isLive = useStore(live.connection).kind === 'live';
  useEffect(() => {
    if (!isLive) return undefined;
    const next = () => {
      if (tries > MAX_RETRIES && mayReload()) void reload(onRetry);
      else onRetry();
    };
    const timer = setTimeout(next, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isLive, tries, onRetry]);
  // The user may come back to this view from another one.
  useEffect(() => forgetMissing, []);
  return (
    <div className={page.page} role="status">
      <h1>{isLive ? t.faults.viewReturns : t.faults.missingView}</h1>
      <p>{t.faults.comesBack}</p>
    </div>
  );
}

function mayReload(): boolean {
  const last = tabStorage.readJson<number>(RELOADED_KEY) ?? 0;
  if (!mayReloadAt(last, Date.now())) return false;
  tabStorage.writeJson(RELOADED_KEY, Date.now());
  return true;
}

/** Loads the page anew, unless the service cannot be reached: the browser would show an error instead. */
export async function reload(onUnreachable: () => void): Promise<void> {
  try {
    const { ok } = await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    if (ok) {
      location.reload();
      return;
    }
  } catch {
    // The same as a response of a load balancer without a service.
  }
  onUnreachable();
}
