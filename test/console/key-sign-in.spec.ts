import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { startApp } from '../support/service/service.js';
import type { FakeBrowser } from './fake-browser.js';
import { loadSignIn, type SignInPage } from './sign-in-page.js';

type Session = SignInPage['session'];

const SCOPES = ['moves:read', 'moves:write', 'keys:write'];

/** The console is that of a service which believes nothing but keys. */
const { service, withToken, createKey } = useServiceWithKeys();
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const started = await startApp({ AUTH_MODE: 'keys', POOL_SIZE: '5' }, service.databaseUrl);
  url = started.url;
  stop = () => started.app.close();
});
afterAll(() => stop());

/** What a browser keeps, also when a page is loaded anew. */
let kept: Map<string, string>;
let browser: FakeBrowser;
beforeEach(() => {
  kept = new Map();
});

async function load(): Promise<Session> {
  const page = await loadSignIn(url, kept);
  browser = page.browser;
  await page.session.start();
  return page.session;
}

const revoke = async ({ id }: Json) => (await withToken('keys:write')).delete(`/v1/keys/${id}`);
const rotate = async ({ id }: Json): Promise<string> => {
  const api = await withToken(`keys:write ${SCOPES.join(' ')}`);
  return (await api.send('POST', `/v1/keys/${id}/rotateKey`)).body.key as string;
};

/** The page after the service has refused its key. */
async function askAgain(session: Session, key: string): Promise<{ next: Promise<string> }> {
  session.refused('The API key is unknown.');
  const next = Promise.resolve(session.token(key));
  await Promise.resolve();
  expect([session.state.get(), session.fault.get()]).toEqual(['expired', expect.stringContaining('is unknown')]);
  return { next };
}

test('a key lets people in until they sign out, also after a reload, and says what they may read', async () => {
  const { key } = await createKey({ scopes: SCOPES });
  const session = await load();
  expect(session.state.get()).toBe('signedOut');
  expect(await session.enter(` Bearer ${key}\n`)).toBeUndefined();
  expect([session.state.get(), session.token(), session.name]).toEqual(['signedIn', key, undefined]);
  expect(['moves:read', 'shipments:read', 'webhooks:read', 'keys:read'].map((scope) => session.can(scope))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const again = await load();
  expect([again.state.get(), again.token(), again.subject]).toEqual(['signedIn', key, session.subject]);
  expect([again.can('moves:read'), again.can('shipments:read')]).toEqual([true, false]);
  again.signOut();
  expect(browser.reloads).toBe(1);
  expect(JSON.stringify([...kept])).not.toContain(key.slice(0, 12));
  expect((await load()).state.get()).toBe('signedOut');
});

test('what is no key, an unknown key and an unreachable service are told apart, and nothing is kept', async () => {
  const revoked = await createKey({ scopes: SCOPES });
  await revoke(revoked);
  const session = await load();
  const refusals = [await session.enter('eyJhbGciOiJub25lIn0.eyJzdWIiOiJib3NzIn0.'), await session.enter(revoked.key)];
  const { key } = await createKey({ scopes: SCOPES });
  const { fetch: real } = globalThis;
  for (const answer of [() => Promise.reject(new TypeError('offline')), () => Promise.resolve(new Response('<p>Hi'))]) {
    Object.assign(globalThis, { fetch: answer });
    refusals.push(await session.enter(key));
  }
  Object.assign(globalThis, { fetch: real });
  expect(refusals).toEqual([
    expect.stringContaining('is not an API key'),
    expect.stringContaining('does not accept this key: The API key is unknown'),
    expect.stringContaining('does not respond'),
    expect.stringContaining('does not respond'),
  ]);
  expect([session.state.get(), [...kept.keys()].filter((name) => name.includes('key'))]).toEqual(['signedOut', []]);
});

test('the page continues with a key that replaces its own, and finds what was typed, also after a reload', async () => {
  const first = await createKey({ scopes: SCOPES });
  const session = await load();
  await session.enter(first.key);
  const { subject } = session;
  const { next } = await askAgain(session, first.key);
  const second = await rotate(first);
  expect(await session.enter(second)).toBeUndefined();
  expect([await next, session.subject, browser.reloads]).toEqual([second, subject, 0]);
  expect((await load()).subject).toBe(subject);
  kept.delete('waybill.key');
  const later = await load();
  await later.enter(second);
  expect(later.subject).toBe(subject);
});

test('somebody else who has used the browser gets a page of their own', async () => {
  const [ann, ben] = [await createKey({ scopes: SCOPES }), await createKey({ scopes: SCOPES })];
  const before = await load();
  await before.enter(ben.key);
  before.signOut();
  const session = await load();
  await session.enter(ann.key);
  expect(session.subject).not.toBe(before.subject);
  await askAgain(session, ann.key);
  await session.enter(ben.key);
  expect([browser.reloads, session.token() instanceof Promise]).toEqual([1, true]);
  expect(JSON.stringify([...kept])).not.toContain(ben.key.slice(0, 12));
});
