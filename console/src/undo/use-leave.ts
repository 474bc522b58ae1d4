import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';

/** Closes a dialog that belongs to no page when the user leaves the page over which it was opened, as by Back. */
export function useLeave(isOpen: boolean, close: () => void): void {
  const [path] = useLocation();
  const before = useRef(path);
  const left = useEffectEvent(() => {
    if (isOpen) close();
  });
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    left();
  }, [path]);
}
