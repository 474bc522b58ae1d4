export const AUDIENCE: string;
export const CLIENT_ID: string;
export interface Issuer {
  readonly url: string;
  readonly keysUrl: string;
  token(name: string): Promise<string>;
  stop(): Promise<void>;
}
export function startIssuer(people: readonly string[], tokenSeconds?: number): Promise<Issuer>;
