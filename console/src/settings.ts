import type { ShipmentStatus } from '@waybill/client';

/** How the service that served this page is configured. */
export interface Settings {
  /** The way from this page up to the root of the service. */
  readonly root: string;
  readonly prefix: string;
  readonly needsToken: boolean;
  /** The claim of a token that has the name of its holder. */
  readonly nameClaim?: string;
  /** Where people sign in; without it they paste a token. */
  readonly signIn?: { readonly issuer: string; readonly clientID: string };
  readonly shipmentTypes?: readonly string[];
  readonly statusSteps: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>>;
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="waybill-settings"]');

export const settings = JSON.parse(meta?.content ?? '{}') as Settings;

/** The address of the service, without a slash at its end. */
export const serviceUrl = new URL(settings.root, location.href).href.replace(/\/$/, '');

/** The path of the console, which all of its views begin with. */
export const consolePath = `${new URL(serviceUrl).pathname.replace(/\/$/, '')}/console`;
