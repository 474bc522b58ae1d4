import { useState } from 'react';

/** What was typed into dialogs that were closed without using it, until the tab is closed or loaded anew. */
const typed = new Map<string, unknown>();

/**
 * The state of a dialog that outlives it, so that Esc loses nothing: a dialog that is opened again under the same name begins with it. The
 * last member forgets it, once it was used.
 */
export function useTyped<T>(name: string, initial: T): readonly [T, (value: T) => void, () => void] {
  const [value, setValue] = useState(() => (typed.has(name) ? (typed.get(name) as T) : initial));
  const change = (next: T) => {
    typed.set(name, next);
    setValue(next);
  };
  return [value, change, () => typed.delete(name)];
}
