/** Runs every effect. One that fails is reported, and stops neither the others nor the caller: what they follow has happened. */
export function safely(...effects: readonly (() => void)[]): void {
  for (const effect of effects) {
    try {
      effect();
    } catch (error) {
      // Of the browser; it is not there when a spec runs this in Node.js.
      (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);
    }
  }
}
