import type { IncomingMessage, ServerResponse } from 'node:http';

export const CLIENT_ID: string;

type Claims = Record<string, unknown>;

export interface ProviderOptions {
  /** Of the issuer. */
  readonly path?: string;
  readonly endsWithSlash?: boolean;
  /** The paths of its endpoints, which need not begin with that of the issuer. */
  readonly endpoints?: { readonly auth?: string; readonly token?: string; readonly jwks?: string };
  /** Whether its token endpoint has another origin. */
  readonly splitsOrigins?: boolean;
  /** The audience of access tokens for this service. */
  readonly api?: string;
  /** Whether tokens are for this service if a request names no other. */
  readonly isDefaultApi?: boolean;
  /** The parameter by which a request names the API. */
  readonly requestsApiBy?: 'resource' | 'audience';
  readonly scopes: readonly string[];
  /** Those that somebody gets. */
  readonly scopesOf?: (person: string) => readonly string[];
  /** Other scopes are refused. */
  readonly knowsOnly?: readonly string[];
  readonly tokenSeconds?: number;
  readonly issuesRefreshTokens?: 'always' | 'offline_access';
  /** Changes the claims and the header of access tokens. */
  readonly changeToken?: (claims: Claims, header: Claims) => void;
}

/** One answer of the provider. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Lets the provider answer. */
  pass(): void;
  /** Changes what the provider will answer. */
  rewrite(change: (body: Claims) => Claims): void;
}

export interface OpenIDProvider {
  readonly issuer: string;
  readonly keysUrl: string;
  /** Where the provider can be reached, too. */
  readonly otherOrigin: string;
  /** Method and path of all requests. */
  readonly seen: string[];
  /** Where the provider may send people back to. */
  register(redirectUri: string): void;
  /** Answers requests whose paths end like this in another way. */
  plan(end: string, act: (exchange: Exchange) => void): void;
  forgetPlans(): void;
  /** The provider signs with another key from now on, and publishes no other. */
  rotateKeys(): Promise<void>;
  /** An access token without a sign-in. */
  token(subject: string, seconds?: number): Promise<string>;
  setToken(change: (claims: Claims, header: Claims) => void): void;
  stop(): Promise<void>;
}

export function startOpenIDProvider(options: ProviderOptions): Promise<OpenIDProvider>;
