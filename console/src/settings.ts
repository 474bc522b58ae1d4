import type { Key, ShipmentStatus } from '@waybill/client';

export type Scope = Key['scopes'][number];

export interface SignInSettings {
  readonly issuer: string;
  readonly clientID: string;
  /** Further parameters of the request, as a query. */
  readonly parameters?: string;
}

/** Configuration that the service puts into the page. */
export interface Settings {
  /** Relative path from this page to the root of the service. */
  readonly root: string;
  readonly prefix: string;
  readonly needsToken: boolean;
  /** Whether people sign in with API keys, because the service believes nothing else. */
  readonly usesKeys: boolean;
  /** Whether the service believes API keys. */
  readonly acceptsKeys: boolean;
  /** The token claim with the name of the user. */
  readonly nameClaim?: string;
  /** The token claim with the scopes, if it is neither `scope` nor `scp`. */
  readonly scopesClaim?: string;
  /** All scopes that make sense with this service. */
  readonly scopes: readonly Scope[];
  /** The OpenID Connect issuer; without it users paste a token. */
  readonly signIn?: SignInSettings;
  /** Whether the service runs on its embedded database, so that nobody minds demo data. */
  readonly hasEmbeddedDatabase: boolean;
  readonly shipmentTypes?: readonly string[];
  readonly statusSteps: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>>;
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="waybill-settings"]');

export const settings = JSON.parse(meta?.content ?? '{}') as Settings;

/** The URL of the service, without a trailing slash. */
export const serviceUrl = new URL(settings.root, location.href).href.replace(/\/$/, '');

/** The base path of the console. */
export const consolePath = `${new URL(serviceUrl).pathname.replace(/\/$/, '')}/console`;
