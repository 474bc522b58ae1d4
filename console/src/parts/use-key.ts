import { useEffect, useEffectEvent } from 'react';

const TEXTS = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

/** Whether a key is meant for the page: nobody types, no dialog is open, and nothing has answered it. */
function isShortcut(event: KeyboardEvent): boolean {
  const isTyping = event.target instanceof HTMLElement && event.target.matches(TEXTS);
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
  return !isOther && !isTyping && document.querySelector('dialog[open]') === null;
}

/** Acts on one key, while nobody types and no dialog is open. */
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
