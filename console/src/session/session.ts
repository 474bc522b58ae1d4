import { settings } from '../settings.js';
import { Store } from '../store.js';
import { displayName } from './display-name.js';
import { askWhoNextTime, beginSignIn, endSignIn, renewTokens, type Tokens } from './oidc.js';
import { identityOf, type Identity, type Scope } from './token.js';

export type SessionState = 'signedOut' | 'signedIn' | 'expired';

/** Set while this tab is signed in, so that a reload signs in again automatically. Contains no token. */
const WAS_SIGNED_IN = 'waybill.was-signed-in';

/** The signed-in user. The token is kept in memory only. */
class Session {
  readonly state = new Store<SessionState>(settings.needsToken ? 'signedOut' : 'signedIn');
  readonly fault = new Store<string | undefined>(undefined);
  private tokens: Tokens | undefined;
  private identity: Identity | undefined;
  private renewal: Promise<string> | undefined;
  private signedIn: (() => void) | undefined;

  /** Completes a sign-in after the redirect from the issuer, or starts one after a reload. */
  async start(): Promise<void> {
    if (settings.signIn === undefined) return;
    try {
      const tokens = await endSignIn();
      if (tokens !== undefined) this.accept(tokens);
      else if (sessionStorage.getItem(WAS_SIGNED_IN) !== null) {
        sessionStorage.removeItem(WAS_SIGNED_IN);
        await beginSignIn();
      }
    } catch (error) {
      this.fault.set((error as Error).message);
    }
  }

  /** Returns false if the text is not a token. */
  paste(text: string): boolean {
    const access = text.trim().replace(/^Bearer +/i, '');
    if (identityOf(access) === undefined) return false;
    this.accept({ access });
    return true;
  }

  /** Token provider of the client. After a 401 it returns a new token, for which the user may have to sign in. */
  token = (refused?: string): string | Promise<string> => {
    const access = this.tokens?.access ?? '';
    if (refused === undefined || refused !== access) return access;
    return (this.renewal ??= this.renew().finally(() => {
      this.renewal = undefined;
    }));
  };

  private async renew(): Promise<string> {
    const refresh = this.tokens?.refresh;
    if (refresh !== undefined) {
      const renewed = await renewTokens(refresh).catch(() => undefined);
      if (renewed !== undefined) {
        this.accept({ refresh, ...renewed });
        return renewed.access;
      }
    }
    const again = new Promise<void>((resolve) => {
      this.signedIn = resolve;
    });
    this.state.set('expired');
    await again;
    return this.tokens?.access ?? '';
  }

  private accept(tokens: Tokens): void {
    this.tokens = tokens;
    this.identity = identityOf(tokens.access);
    this.fault.set(undefined);
    if (settings.signIn !== undefined) sessionStorage.setItem(WAS_SIGNED_IN, 'yes');
    this.state.set('signedIn');
    this.signedIn?.();
  }

  signOut(): void {
    sessionStorage.removeItem(WAS_SIGNED_IN);
    askWhoNextTime();
    location.reload();
  }

  can(scope: Scope): boolean {
    return !settings.needsToken || this.identity?.scopes.has(scope) === true;
  }

  /** The name that others see, if any. */
  get name(): string | undefined {
    return this.identity?.name ?? (displayName.get() || undefined);
  }

  /** Separates the drafts of users who share a browser. */
  get subject(): string {
    return this.identity?.subject ?? '';
  }
}

export const session = new Session();
