import { isWebUrl } from '../config/variables.js';

/** How long a page waits for the issuer, which is asked when the console is first opened. */
const WAIT_MS = 1000;
const TIMEOUT_MS = 3000;
const KEPT_MS = 600_000;
const RETRY_MS = 10_000;

/**
 * The origins to which the console sends requests when somebody signs in: that of the issuer and, where its discovery document says so,
 * another one of its token endpoint. If the issuer does not answer, that of the issuer alone.
 */
export class SignInOrigins {
  private readonly ofIssuer: string;
  private ofTokens: string | undefined;
  private reading: Promise<void> | undefined;
  private readAgainAt = -Infinity;

  constructor(private readonly issuer: string) {
    this.ofIssuer = new URL(issuer).origin;
  }

  async list(now = performance.now()): Promise<string[]> {
    if (now >= this.readAgainAt) this.read(now);
    if (this.ofTokens === undefined && this.reading !== undefined) {
      await Promise.race([this.reading, new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref())]);
    }
    return [...new Set([this.ofIssuer, this.ofTokens ?? this.ofIssuer])];
  }

  private read(now: number): void {
    this.readAgainAt = now + RETRY_MS;
    this.reading ??= this.originOfTokens()
      .then(
        (origin) => {
          this.ofTokens = origin;
          this.readAgainAt = now + KEPT_MS;
        },
        () => undefined,
      )
      .finally(() => (this.reading = undefined));
  }

  private async originOfTokens(): Promise<string> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const document = (await response.json()) as { issuer?: unknown; token_endpoint?: unknown };
    const { issuer, token_endpoint: endpoint } = document;
    if (issuer !== this.issuer) throw new Error('The document is that of another issuer');
    if (typeof endpoint !== 'string' || !isWebUrl(endpoint)) throw new Error('The document has no token endpoint');
    const { origin, protocol } = new URL(endpoint);
    if (protocol !== new URL(this.issuer).protocol && protocol !== 'https:') {
      throw new Error('The token endpoint is not secure');
    }
    return origin;
  }
}
