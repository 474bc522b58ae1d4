import { useLayoutEffect, type RefObject } from 'react';

/** Positions by view and element, for this tab. */
const positions = new Map<string, { readonly top: number; readonly left: number }>();
let isBack = false;

addEventListener('popstate', () => {
  isBack = true;
});
// Sent by wouter.
addEventListener('pushState', () => {
  isBack = false;
});

/** Restores the scroll position of an element when the user comes back to the view. */
export function useKeptScroll(element: RefObject<HTMLElement | null>, name: string): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const key = `${location.pathname}${location.search} ${name}`;
    const kept = isBack ? positions.get(key) : undefined;
    if (kept !== undefined) current.scrollTo({ ...kept, behavior: 'instant' });
    const onScroll = () => positions.set(key, { top: current.scrollTop, left: current.scrollLeft });
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => current.removeEventListener('scroll', onScroll);
  }, [element, name]);
}
