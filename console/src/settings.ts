import type { ShipmentStatus } from '@waybill/client';

/** Configuration that the service puts into the page. */
export interface Settings {
  /** Relative path from this page to the root of the service. */
  readonly root: string;
  readonly prefix: string;
  readonly needsToken: boolean;
  /** The token claim with the name of the user. */
  readonly nameClaim?: string;
  /** The OpenID Connect issuer; without it users paste a token. */
  readonly signIn?: { readonly issuer: string; readonly clientID: string };
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
