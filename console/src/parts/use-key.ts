import { useEffect, useEffectEvent } from 'react';

/** Acts on one key, while nobody types and no dialog is open. */
export function useKey(key: string, isOn: boolean, act: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isOther = event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
    if (isOther || isTyping || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    if (!isOn) return undefined;
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn]);
}
