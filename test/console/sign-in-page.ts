import { useFakeBrowser, type FakeBrowser } from './fake-browser.js';
import { settingsIn } from './page-settings.js';

const CONSOLE = '../../console/src';

interface Tokens {
  readonly access: string;
  readonly refresh?: string;
}

interface Oidc {
  beginSignIn(): Promise<void>;
  endSignIn(): Promise<Tokens>;
  renewTokens(refresh: string): Promise<Tokens>;
}

interface Session {
  readonly state: { get(): string };
  readonly fault: { get(): string | undefined };
  readonly subject: string;
  readonly name: string | undefined;
  start(): Promise<void>;
  signIn(): Promise<void>;
  enter(text: string): Promise<string | undefined>;
  token(refused?: string): string | Promise<string>;
  refused(detail: string): void;
  can(scope: string): boolean;
  signOut(): void;
}

/** What signs people in to the console, with the settings of a service. */
export interface SignInPage {
  readonly browser: FakeBrowser;
  readonly settings: { readonly signIn?: { parameters?: string } };
  readonly session: Session;
  readonly oidc: Oidc;
  /** How the console calls the service. */
  request(url: string, init: RequestInit): Promise<Response>;
  identityOf(token: string): { readonly name: string; readonly scopes: ReadonlySet<string> } | undefined;
}

/** Loads the page that a service serves, in a browser that has kept something of earlier pages. */
export async function loadSignIn(url: string, kept?: Map<string, string>, at?: URL): Promise<SignInPage> {
  const answer = await fetch(`${url}/console/`, { headers: { Accept: 'text/html' } });
  const browser = useFakeBrowser(settingsIn(await answer.text()), url, kept);
  if (at !== undefined) Object.assign(browser.location, { pathname: at.pathname, search: at.search });
  jest.resetModules();
  // Not plain literals: the types of a browser are not those of Node.js.
  const of = <Module>(name: string) => import(`${CONSOLE}/${name}.js`) as Promise<Module>;
  return {
    browser,
    ...(await of<Pick<SignInPage, 'settings'>>('settings')),
    ...(await of<Pick<SignInPage, 'session'>>('session/session')),
    ...(await of<Pick<SignInPage, 'identityOf'>>('session/token')),
    ...(await of<Pick<SignInPage, 'request'>>('api')),
    oidc: await of<Oidc>('session/oidc'),
  };
}

/** Does what a person does at the provider, in a browser that keeps cookies. Returns the URL that leads back to the console. */
export async function chooseAtProvider({ browser }: SignInPage, person: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(browser.location.href);
  while (url.pathname !== '/console/signed-in') {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
    const shown = await answer.text();
    if (answer.status >= 400) throw new Error(`${url.pathname}: ${answer.status} ${shown}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    url = new URL(answer.headers.get('Location') ?? `?person=${person}`, url);
  }
  return url;
}

/** Signs in from the beginning to the end, without loading the page anew. */
export async function signIn(page: SignInPage, person: string): Promise<Tokens> {
  await page.oidc.beginSignIn();
  const { pathname, search } = await chooseAtProvider(page, person);
  Object.assign(page.browser.location, { pathname, search });
  return page.oidc.endSignIn();
}
