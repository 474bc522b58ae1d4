import { useLayoutEffect, type RefObject } from 'react';

/** Positions by view and element, for this tab. */
const positions = new Map<string, { readonly top: number; readonly left: number }>();
/** The view that was opened by a link last. The user comes back to any other one. */
let opened: string | undefined;

const currentView = () => `${location.pathname}${location.search}`;

// Sent by wouter. Unlike with `popstate`, nothing is rendered before all listeners were called.
addEventListener('pushState', () => {
  opened = currentView();
});

/** Restores the scroll position of an element when the user comes back to the view. */
export function useKeptScroll(element: RefObject<HTMLElement | null>, name: string): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const view = currentView();
    const key = `${view} ${name}`;
    const kept = view === opened ? undefined : positions.get(key);
    if (kept !== undefined) current.scrollTo({ ...kept, behavior: 'instant' });
    const onScroll = () => positions.set(key, { top: current.scrollTop, left: current.scrollLeft });
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => current.removeEventListener('scroll', onScroll);
  }, [element, name]);
}
