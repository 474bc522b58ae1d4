import type { Page, Route } from 'playwright-core';

/** A fault on the way of a write to the service or back. */
export type Mishap = 'answer lost' | 'answer cut off' | 'request lost' | Answer;

interface Answer {
  readonly status: number;
  readonly code: string;
  /** Whether the service has done the write nevertheless. */
  readonly isDone?: boolean;
}

/** The service did the write, and cannot say so. */
export const OUTCOME_UNKNOWN: Answer = { status: 503, code: 'OUTCOME_UNKNOWN', isDone: true };
/** The first attempt still runs. */
export const IN_PROGRESS: Answer = { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS', isDone: true };
/** This attempt wrote nothing; it says nothing about those before it. */
export const UNAVAILABLE: Answer = { status: 503, code: 'UNAVAILABLE' };

/** Lets the mishaps happen to the writes of a page, in this order; the last one to all that follow, until `unrouteAll`. */
export async function disturbWrites(page: Page, url: string, ...mishaps: [Mishap, ...Mishap[]]): Promise<void> {
  const left = [...mishaps];
  await page.route(url, async (route, request) => {
    if (request.method() === 'GET') return route.continue();
    const mishap = (left.length > 1 ? left.shift() : left[0]) ?? 'request lost';
    return happen(route, mishap);
  });
}

/** The service does the writes of a page, which gets no answer until `unrouteAll`. `done` resolves when it has done the first. */
export async function leaveWritesUnanswered(page: Page, url: string): Promise<{ readonly done: Promise<void> }> {
  let isDone = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  await page.route(url, async (route, request) => {
    if (request.method() === 'GET') return route.continue();
    await route.fetch();
    isDone();
    return undefined;
  });
  return { done };
}

async function happen(route: Route, mishap: Mishap): Promise<void> {
  if (mishap === 'request lost') return route.abort();
  if (mishap === 'answer cut off') {
    const body = await (await route.fetch()).text();
    return route.fulfill({ status: 201, contentType: 'application/json', body: body.slice(0, body.length / 2) });
  }
  if (mishap === 'answer lost' || mishap.isDone === true) await route.fetch();
  if (mishap === 'answer lost') return route.abort();
  const { status, code } = mishap;
  const problem = {
    type: `/docs#${code}`,
    title: code,
    status,
    code,
    detail: `${code}, as a test wants it.`,
    requestID: 'test',
  };
  return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) });
}
