import { consolePath, settings, type SignInSettings } from '../settings.js';
import { browserStorage, tabStorage } from '../storage.js';
import { t } from '../texts/texts.js';
import { readEndpoints } from './provider.js';
import { claimsOf } from './token.js';

/** OpenID Connect authorization code flow with PKCE (RFC 7636), for a public client. */

const PENDING = 'waybill.sign-in';

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string | undefined;
}

/** How long the provider may take. */
const TIMEOUT_MS = 15_000;

/** Set from signing out until somebody has signed in, in any tab: the provider must not let the last person in again without asking. */
const ASKS_WHO = 'waybill.asks-who';

export function askWhoNextTime(): void {
  browserStorage.write(ASKS_WHO, 'yes');
}

const callbackPath = `${consolePath}/signed-in`;

/** Windows that signed in for another one, and those that wait for them. */
const windows = new BroadcastChannel(`waybill.sign-in ${consolePath}`);

/** How long a window waits for the one that opened it. */
const HAND_OVER_MS = 2000;

/** Redirects to the issuer, which redirects back to the current view. */
export async function beginSignIn(): Promise<void> {
  const pending = newPending();
  const url = await authorizationUrl(pending);
  tabStorage.writeJson(PENDING, pending);
  location.assign(url);
}

/** Signs in through another window, so that this one keeps everything that it shows. */
export async function signInBeside(beside: Window): Promise<Tokens> {
  const pending = newPending();
  beside.location.href = await authorizationUrl(pending).catch((error: unknown) => {
    beside.close();
    throw error;
  });
  const answer = await new Promise<URLSearchParams>((resolve) => {
    const take = ({ data }: MessageEvent<unknown>) => {
      const parameters = new URLSearchParams(String(data));
      if (!parameters.has('handed') || parameters.get('state') !== pending.state) return;
      windows.removeEventListener('message', take);
      windows.postMessage(pending.state);
      resolve(parameters);
    };
    windows.addEventListener('message', take);
  });
  return tokensFor(answer, pending);
}

/** Exchanges the authorization code in the URL for tokens; undefined if the URL has none, or another window has taken it. */
export async function endSignIn(): Promise<Tokens | 'handed over' | undefined> {
  if (location.pathname !== callbackPath) return undefined;
  const answer = new URLSearchParams(location.search);
  const pending = tabStorage.readJson<Pending>(PENDING);
  const state = answer.get('state');
  const isOwn = pending?.state === state;
  if (isOwn) tabStorage.remove(PENDING);
  history.replaceState(null, '', isOwn ? pending.returnTo : consolePath);
  if (state === null) return undefined;
  if (isOwn) return tokensFor(answer, pending);
  if (await handOver(answer, state)) return 'handed over';
  throw new Error(t.account.otherTab);
}

/** Returns false if no open window waits for this answer. */
function handOver(answer: URLSearchParams, state: string): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), HAND_OVER_MS);
    windows.addEventListener('message', ({ data }) => {
      if (data === state) resolve(true);
    });
    windows.postMessage(`${answer.toString()}&handed`);
  });
}

function newPending(): Pending {
  const returnTo = location.pathname + location.search;
  return { state: randomText(), nonce: randomText(), verifier: randomText(), returnTo };
}

async function authorizationUrl({ state, nonce, verifier }: Pending): Promise<string> {
  const { authorization_endpoint: endpoint } = await readEndpoints();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    ...Object.fromEntries(url.searchParams),
    scope: ['openid', 'profile', ...settings.scopes].join(' '),
    ...Object.fromEntries(ownParameters()),
    response_type: 'code',
    client_id: provider().clientID,
    redirect_uri: location.origin + callbackPath,
    state,
    nonce,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(browserStorage.read(ASKS_WHO) !== undefined && { prompt: 'login' }),
  }).toString();
  return url.href;
}

async function tokensFor(answer: URLSearchParams, { nonce, verifier }: Pending): Promise<Tokens> {
  // Another provider that shares the redirect URI may have sent it (RFC 9207).
  if (![null, provider().issuer].includes(answer.get('iss'))) throw new Error(t.account.otherAnswer);
  const code = answer.get('code');
  if (code === null) throw new Error(t.account.failed(answer.get('error_description') ?? answer.get('error') ?? ''));
  const redirect_uri = location.origin + callbackPath;
  const parameters = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  const tokens = await requestTokens(parameters, nonce);
  browserStorage.remove(ASKS_WHO);
  return tokens;
}

export function renewTokens(refresh: string): Promise<Tokens> {
  return requestTokens({ grant_type: 'refresh_token', refresh_token: refresh });
}

async function requestTokens(parameters: Record<string, string>, nonce?: string): Promise<Tokens> {
  const { token_endpoint: endpoint } = await readEndpoints();
  const body = new URLSearchParams({ ...parameters, client_id: provider().clientID });
  for (const resource of ownParameters().getAll('resource')) body.append('resource', resource);
  // A redirect would send the code or the refresh token to another server.
  const init = { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const answer = await fetch(endpoint, init).catch((cause: unknown) => {
    throw new Error(t.account.unreachable(new URL(endpoint).origin), { cause });
  });
  const tokens = (await answer.json().catch(() => ({}))) as Record<string, string | undefined>;
  const { access_token: access, refresh_token: refresh, id_token: identity } = tokens;
  if (!answer.ok || access === undefined) {
    const reason = tokens['error_description'] ?? tokens['error'] ?? t.account.status(answer.status);
    throw new Error(t.account.noTokenIssued(reason));
  }
  if (nonce !== undefined) requireOwnIdentity(identity ?? '', nonce);
  return { access, refresh };
}

/**
 * The ID token must answer this request (OpenID Connect Core, 3.1.3.7). It came from the token endpoint itself, so its signature adds nothing.
 * Its times are not compared: clocks of browsers may be wrong by days.
 */
function requireOwnIdentity(token: string, nonce: string): void {
  const { iss, aud, nonce: answered } = claimsOf(token) ?? {};
  const { issuer, clientID } = provider();
  if (iss !== issuer || ![aud].flat().includes(clientID) || answered !== nonce) {
    throw new Error(t.account.otherAnswer);
  }
}

function provider(): SignInSettings {
  const { signIn } = settings;
  if (signIn === undefined) throw new Error('No provider is configured');
  return signIn;
}

function ownParameters(): URLSearchParams {
  return new URLSearchParams(provider().parameters ?? '');
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
