export const AUDIENCE: string;
export const CLIENT_ID: string;
export function startIssuer(people: readonly string[]): Promise<{
  readonly url: string;
  readonly keysUrl: string;
  token(name: string): Promise<string>;
  stop(): Promise<void>;
}>;
