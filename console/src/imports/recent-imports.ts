import { session } from '../session/session.js';

/** Old ones have expired at the service anyway. */
const MAX_KEPT = 10;

function key(): string {
  return `waybill.imports.${session.subject}`;
}

/** The ids of the imports that were uploaded with this browser, newest first. */
export function recentImports(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(key()) ?? '[]') as string[];
  } catch {
    return [];
  }
}

export function rememberImport(id: string): void {
  const others = recentImports().filter((each) => each !== id);
  localStorage.setItem(key(), JSON.stringify([id, ...others].slice(0, MAX_KEPT)));
}
