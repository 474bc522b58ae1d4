import { serviceUrl, settings, type Scope } from '../settings.js';
import { browserStorage, tabStorage } from '../storage.js';
import { t } from '../texts/texts.js';
import type { Identity } from './token.js';

/** Signing in with an API key, if the service accepts nothing else. */

const KEY = /^wb_[0-9A-Za-z]{49}$/;

/** The key of this tab, until somebody signs out or closes it. */
const KEPT = 'waybill.key';

/** Followed by a digest of a key: the person who uses it in this browser. */
const PERSON = 'waybill.person.';

/** How long the service may take. */
const TIMEOUT_MS = 10_000;

/** For each scope to read, a list that only callers with it may read. */
const LISTS: Readonly<Record<Extract<Scope, `${string}:read`>, string>> = {
  'moves:read': '/v1/moves',
  'shipments:read': '/v1/shipments',
  'webhooks:read': '/v1/webhooks',
  'keys:read': '/v1/keys',
};

interface KeptKey {
  readonly key: string;
  readonly subject: string;
  readonly scopes: readonly Scope[];
}

/**
 * Asks the service whether it accepts a key, and throws an error that says why not. A key that replaces another one belongs to the same person
 * unless somebody else has used it in this browser: the service does not say whose it is.
 */
export async function identityOfKey(key: string, replaced?: string): Promise<Identity> {
  if (!KEY.test(key)) throw new Error(t.account.noKey);
  const unreadable: string[] = [];
  await Promise.all(
    Object.entries(LISTS).map(async ([scope, path]) => {
      if (!(await canRead(path, key))) unreadable.push(scope);
    }),
  );
  const digest = await digestOf(key);
  const subject = browserStorage.read(PERSON + digest) ?? replaced ?? digest;
  browserStorage.write(PERSON + digest, subject);
  const scopes = settings.scopes.filter((scope) => !unreadable.includes(scope));
  const kept: KeptKey = { key, subject, scopes };
  tabStorage.writeJson(KEPT, kept);
  return { subject, scopes: new Set(scopes) };
}

/** The key that this tab has used before it was reloaded. */
export function keptKey(): { readonly key: string; readonly identity: Identity } | undefined {
  const kept = tabStorage.readJson<KeptKey>(KEPT);
  return kept && { key: kept.key, identity: { subject: kept.subject, scopes: new Set(kept.scopes) } };
}

export function forgetKey(): void {
  tabStorage.remove(KEPT);
}

async function canRead(path: string, key: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const init = { headers, signal, cache: 'no-store', redirect: 'error' } as const;
  const answer = await fetch(`${serviceUrl}${path}?limit=1`, init).catch(() => undefined);
  const body = (await answer?.json().catch(() => undefined)) as unknown;
  if (answer?.status === 401) throw new Error(t.account.keyRefused(String((body as { detail?: unknown }).detail)));
  if (answer?.status === 403) return false;
  // Something on the way may have answered in place of the service.
  if (!Array.isArray(body)) throw new Error(t.account.unreachable(serviceUrl));
  return true;
}

/** Not the hash that the service stores. */
async function digestOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`console ${key}`));
  return [...new Uint8Array(digest).subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
