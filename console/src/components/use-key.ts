import { useEffect, useEffectEvent } from 'react';

const TEXTS = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

/** Whether a key is a shortcut: not typed into a field, no open dialog, and not handled yet. */
function isShortcut(event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof HTMLElement && event.target.matches(TEXTS);
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  return !isOther && !isTyping && document.querySelector('dialog[open]') === null;
}

/** Handles a keyboard shortcut. */
export function useKey(key: string, isOn: boolean, act: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== key || !isShortcut(event)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
