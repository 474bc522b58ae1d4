import { lazy, type ComponentType } from 'react';
import { t } from '../texts/texts.js';
import { announce } from './notice.js';

/** The code of a view cannot be fetched: the service cannot be reached, or was upgraded after the console was opened. */
export class ViewMissing extends Error {}

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>;

export type LazyView<P> = ComponentType<P> & { readonly fetchCode: () => Promise<unknown> };

const views: LazyView<never>[] = [];
/** Forget the failures of views, which React keeps for good. */
const missing = new Set<() => void>();

/** A view whose code is fetched when it is first shown, or before that when the browser is idle. */
export function lazyView<P extends object>(load: Load<P>): LazyView<P> {
  const attempt = () =>
    lazy(async () => {
      try {
        return await load();
      } catch (error) {
        missing.add(() => {
          View = attempt();
        });
        throw new ViewMissing('The code of a view cannot be fetched', { cause: error });
      }
    });
  let View: ComponentType<P> = attempt();
  const Lazy = (props: P) => <View {...props} />;
  const view = Object.assign(Lazy, { fetchCode: load });
  views.push(view);
  return view;
}

/** Lets views whose code was missing fetch it again. Not while they are rendered: React renders a view that fails a second time. */
export function forgetMissing(): void {
  for (const forget of missing) forget();
  missing.clear();
}

/** Fetches all views, one by one, so that they open also when the service cannot be reached. */
export async function fetchViews(): Promise<void> {
  for (const { fetchCode } of views) {
    await idle();
    // It is fetched again when it is shown.
    await fetchCode().catch(() => undefined);
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 200);
  });
}

/** Opens a dialog once its code is there. */
export function openDialog<P>({ fetchCode }: LazyView<P>, open: () => void): void {
  fetchCode().then(open, () => announce(t.faults.missingView, { isFault: true }));
}
