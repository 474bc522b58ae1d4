import { settings } from '../settings.js';
import { t } from '../texts/texts.js';

export interface Endpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/** How long the issuer may take. */
const TIMEOUT_MS = 10_000;

/** Reads where to sign in from the issuer's discovery document, which must be its own. */
export async function readEndpoints(): Promise<Endpoints> {
  const issuer = settings.signIn?.issuer ?? '';
  const document = await readDocument(issuer);
  const { authorization_endpoint, token_endpoint } = document;
  if (document['issuer'] !== issuer || !isSafe(authorization_endpoint, issuer) || !isSafe(token_endpoint, issuer)) {
    throw new Error(t.account.wrongConfiguration(issuer));
  }
  return { authorization_endpoint, token_endpoint };
}

async function readDocument(issuer: string): Promise<Record<string, unknown>> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
    throw new Error(t.account.unreachable(issuer), { cause });
  });
  if (!answer.ok) throw new Error(t.account.noConfiguration(issuer, answer.status));
  return (await answer.json().catch(() => ({}))) as Record<string, unknown>;
}

/** Whether an endpoint is as secure as the issuer: a code or a token must not leave over plain http. */
function isSafe(endpoint: unknown, issuer: string): endpoint is string {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false;
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (protocol === 'http:' && protocol === new URL(issuer).protocol);
}
