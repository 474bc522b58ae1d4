import { consolePath, settings, type Scope } from '../settings.js';
import { DISCARDED, tabStorage } from '../storage.js';
import { Store } from '../store.js';
import { displayName } from './display-name.js';
import { askWhoNextTime, beginSignIn, endSignIn, renewTokens, signInBeside, type Tokens } from './oidc.js';
import { forgetKey, identityOfKey, keptKey } from './key.js';
import { t } from '../texts/texts.js';
import { identityOf, type Identity } from './token.js';

export type SessionState = 'signedOut' | 'signedIn' | 'expired';

/** Set while this tab is signed in, so that a reload signs in again automatically. Contains no token. */
const WAS_SIGNED_IN = 'waybill.was-signed-in';

/** Set while the page is loaded anew because another person signed in. */
const IS_ANOTHER = 'waybill.is-another';

/** Tells the other tabs of this browser who has signed out. */
const signOuts = new BroadcastChannel(`waybill.sign-out ${consolePath}`);

/**
 * The signed-in user. A token is kept in memory only, an API key until the tab is closed. A page belongs to one user until it is loaded anew: nothing that one of them read or
 * typed is shown to another, or sent with the token of another.
 */
class Session {
  /** What the page says before somebody has signed in: the page was loaded anew because another person signed in, for example. */
  readonly notice = new Store<'another' | 'signingIn' | 'handedOver' | undefined>(
    tabStorage.read(IS_ANOTHER) === undefined ? undefined : 'another',
  );
  readonly state = new Store<SessionState>(settings.needsToken ? 'signedOut' : 'signedIn');
  readonly fault = new Store<string | undefined>(undefined);
  private tokens: Tokens | undefined;
  private identity: Identity | undefined;
  private renewal: Promise<string> | undefined;
  private signedIn: (() => void) | undefined;
  private hasEnded = false;
  /** Whether the service has accepted a token of this sign-in. */
  private isProven = false;

  constructor() {
    tabStorage.remove(IS_ANOTHER);
    signOuts.addEventListener('message', ({ data }) => {
      if (this.identity !== undefined && data === this.subject) this.end();
    });
  }

  /** Completes a sign-in after the redirect from the issuer, or starts one after a reload. */
  async start(): Promise<void> {
    const kept = settings.usesKeys ? keptKey() : undefined;
    if (kept !== undefined) this.accept({ access: kept.key }, kept.identity);
    if (settings.signIn === undefined) return;
    const { notice } = this;
    const before = notice.get();
    notice.set('signingIn');
    try {
      const tokens = await endSignIn();
      if (tokens === 'handed over') {
        notice.set('handedOver');
        window.close();
      } else if (tokens !== undefined) {
        this.acceptIssued(tokens);
      } else if (tabStorage.read(WAS_SIGNED_IN) !== undefined) {
        tabStorage.remove(WAS_SIGNED_IN);
        await beginSignIn();
      } else {
        notice.set(before);
      }
    } catch (error) {
      notice.set(before);
      this.fault.set((error as Error).message);
    }
  }

  /** Leads to the issuer: in another window if this page shows something that must stay. */
  async signIn(): Promise<void> {
    this.fault.set(undefined);
    const beside = this.state.get() === 'expired' ? window.open('', '', 'popup,width=500,height=700') : null;
    if (beside === null) this.notice.set('signingIn');
    try {
      if (beside === null) await beginSignIn();
      else this.acceptIssued(await signInBeside(beside));
    } catch (error) {
      this.notice.set(undefined);
      this.fault.set((error as Error).message);
    }
  }

  /** Signs in with a token or an API key. Returns why it cannot be used; undefined if it can be. */
  async enter(text: string): Promise<string | undefined> {
    const access = text.trim().replace(/^Bearer +/i, '');
    try {
      const identity = settings.usesKeys ? await identityOfKey(access, this.identity?.subject) : identityOf(access);
      if (identity === undefined) return t.account.noToken;
      this.accept({ access }, identity);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Token provider of the client. After a 401 it returns a new token, for which the user may have to sign in. */
  token = (refused?: string): string | Promise<string> => {
    // The page is about to be loaded anew.
    if (this.hasEnded) return new Promise(() => undefined);
    const access = this.tokens?.access ?? '';
    if (refused === undefined || refused !== access) return access;
    return (this.renewal ??= this.renew().finally(() => {
      this.renewal = undefined;
    }));
  };

  /** The service has accepted a token. */
  accepted(): void {
    this.isProven = true;
  }

  /** The service has refused a token, and said why. */
  refused(detail: string): void {
    if (settings.usesKeys) this.fault.set(t.account.keyRefused(detail));
    else if (!this.isProven && this.identity !== undefined) this.fault.set(t.account.refused(detail));
  }

  private async renew(): Promise<string> {
    const refresh = this.tokens?.refresh;
    // Another token would be refused for the same reason.
    if (refresh !== undefined && this.isProven) {
      const renewed = await renewTokens(refresh).catch(() => undefined);
      if (renewed !== undefined) {
        this.accept({ refresh, ...renewed });
        return this.token();
      }
    }
    const again = new Promise<void>((resolve) => {
      this.signedIn = resolve;
    });
    this.state.set('expired');
    await again;
    return this.token();
  }

  /** The issuer must have issued a token that the console can use, too. */
  private acceptIssued(tokens: Tokens): void {
    if (identityOf(tokens.access) === undefined) throw new Error(t.account.unreadable);
    this.isProven = false;
    this.accept(tokens);
  }

  private accept(tokens: Tokens, identity = identityOf(tokens.access)): void {
    if (this.identity !== undefined && identity?.subject !== this.subject) {
      tabStorage.write(IS_ANOTHER, 'yes');
      this.end();
      return;
    }
    this.tokens = tokens;
    this.identity = identity;
    this.fault.set(undefined);
    this.notice.set(undefined);
    if (settings.signIn !== undefined) tabStorage.write(WAS_SIGNED_IN, 'yes');
    this.state.set('signedIn');
    this.signedIn?.();
  }

  /** Signs out in all tabs. */
  signOut(): void {
    signOuts.postMessage(this.subject);
    this.end();
  }

  private end(): void {
    this.hasEnded = true;
    tabStorage.remove(WAS_SIGNED_IN);
    forgetKey();
    for (const key of tabStorage.keys()) if (key.startsWith(DISCARDED)) tabStorage.remove(key);
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
