import type { IncomingMessage } from 'node:http';

/** Who called, when nobody had to say so. */
const ANONYMOUS = 'anonymous';

const subjects = new WeakMap<IncomingMessage, string>();

export function rememberSubject(request: IncomingMessage, subject: string): void {
  subjects.set(request, subject);
}

/** The authenticated subject of a request, else `anonymous`. */
export function subjectOf(request: IncomingMessage): string {
  return subjects.get(request) ?? ANONYMOUS;
}
