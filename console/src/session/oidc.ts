import { consolePath, settings } from '../settings.js';
import { tabStorage } from '../storage.js';
import { t } from '../texts/texts.js';

/** OpenID Connect authorization code flow with PKCE (RFC 7636), for a public client. */

const PENDING = 'waybill.sign-in';
const SCOPES =
  'openid profile moves:read moves:write shipments:read shipments:write shipments:status webhooks:read webhooks:write';

interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly returnTo: string;
}

interface Endpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string | undefined;
}

/** Set after signing out, so that the issuer asks who signs in next. */
const ASKS_WHO = 'waybill.asks-who';

export function askWhoNextTime(): void {
  tabStorage.write(ASKS_WHO, 'yes');
}

const callbackPath = `${consolePath}/signed-in`;

/** Redirects to the issuer, which redirects back to the current view. */
export async function beginSignIn(): Promise<void> {
  const { authorization_endpoint: endpoint } = await endpoints();
  const [state, verifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const returnTo = location.pathname + location.search;
  tabStorage.writeJson(PENDING, { state, verifier, returnTo } satisfies Pending);
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    ...Object.fromEntries(url.searchParams),
    response_type: 'code',
    client_id: settings.signIn?.clientID ?? '',
    redirect_uri: location.origin + callbackPath,
    scope: SCOPES,
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(tabStorage.read(ASKS_WHO) !== undefined && { prompt: 'select_account' }),
  }).toString();
  location.assign(url);
}

/** Exchanges the authorization code in the URL for tokens; undefined if the URL has none. */
export async function endSignIn(): Promise<Tokens | undefined> {
  if (location.pathname !== callbackPath) return undefined;
  const parameters = new URLSearchParams(location.search);
  const pending = tabStorage.readJson<Pending>(PENDING);
  tabStorage.remove(PENDING);
  history.replaceState(null, '', pending?.returnTo ?? consolePath);
  const refusal = parameters.get('error_description') ?? parameters.get('error');
  if (refusal !== null) throw new Error(t.account.failed(refusal));
  const code = parameters.get('code');
  if (pending === undefined || code === null) return undefined;
  tabStorage.remove(ASKS_WHO);
  if (parameters.get('state') !== pending.state) throw new Error(t.account.otherTab);
  return requestTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: location.origin + callbackPath,
    code_verifier: pending.verifier,
  });
}

export function renewTokens(refresh: string): Promise<Tokens> {
  return requestTokens({ grant_type: 'refresh_token', refresh_token: refresh });
}

async function requestTokens(parameters: Record<string, string>): Promise<Tokens> {
  const { token_endpoint: endpoint } = await endpoints();
  const body = new URLSearchParams({ ...parameters, client_id: settings.signIn?.clientID ?? '' });
  const answer = await fetch(endpoint, { method: 'POST', body });
  const tokens = (await answer.json().catch(() => ({}))) as Record<string, string | undefined>;
  const { access_token: access, refresh_token: refresh } = tokens;
  if (!answer.ok || access === undefined) {
    const reason = tokens['error_description'] ?? tokens['error'] ?? t.account.status(answer.status);
    throw new Error(t.account.noTokenIssued(reason));
  }
  return { access, refresh };
}

async function endpoints(): Promise<Endpoints> {
  const issuer = (settings.signIn?.issuer ?? '').replace(/\/$/, '');
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(t.account.noConfiguration(issuer, answer.status));
  return (await answer.json()) as Endpoints;
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
