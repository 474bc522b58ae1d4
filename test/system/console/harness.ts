import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WaybillClient, type NewShipment } from '@waybill/client';
import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { startService, type TestService } from '../../support/service/service.js';
import { jwtEnvironment, KeySetServer, newKey, signToken, type SigningKey } from '../../support/http/tokens.js';
import { launchBrowser } from '../../support/repository/browser.js';

export const ALL_SCOPES =
  'moves:read moves:write shipments:read shipments:write shipments:status webhooks:read webhooks:write';

type ContextOptions = Parameters<Browser['newContext']>[0];

/** A service that demands tokens, a browser, and people who use it. */
export class ConsoleWorld {
  /** The contexts of a test, and their options. */
  private readonly contexts: [string, BrowserContext][] = [];
  /** Contexts that earlier tests left, by their options. Their tabs have compiled the console, which is half the work of a page load. */
  private readonly left = new Map<string, BrowserContext[]>();
  /** Contexts with a tab that is not used yet. */
  private readonly unused = new Set<BrowserContext>();
  private readonly blockers: CDPSession[] = [];
  /** Errors and policy violations that pages wrote to their consoles. There must be none. */
  private faults: string[] = [];

  private constructor(
    readonly service: TestService,
    private readonly keys: KeySetServer,
    readonly key: SigningKey,
    private readonly browser: Browser,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<ConsoleWorld> {
    const key = await newKey('console');
    const keys = await KeySetServer.start(key);
    const settings = { ...jwtEnvironment(keys.url), JWT_NAME_CLAIM: 'name', POOL_SIZE: '5', ...environment };
    const [service, browser] = await Promise.all([startService(settings), launchBrowser()]);
    return new ConsoleWorld(service, keys, key, browser);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
    await this.keys.stop();
  }

  token(name: string, { scope = ALL_SCOPES, expires = 3600 } = {}): Promise<string> {
    return signToken(this.key, { subject: name.toLowerCase(), scope, expires, claims: { name } });
  }

  /** A colleague without a browser. */
  async colleague(name: string): Promise<WaybillClient> {
    return new WaybillClient({ baseUrl: this.service.url, token: await this.token(name) });
  }

  async context(options: ContextOptions = {}): Promise<BrowserContext> {
    const kind = JSON.stringify(options);
    const context = this.left.get(kind)?.pop() ?? (await this.newContext(options));
    this.contexts.push([kind, context]);
    this.unused.add(context);
    return context;
  }

  private async newContext(options: ContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
      // The placeholders of loading views pulse, which takes a tenth of the time of a load.
      reducedMotion: 'reduce',
      ...options,
    });
    // Only a test that fails waits so long, however busy the machine is.
    context.setDefaultTimeout(90_000);
    context.on('page', (page) => this.watch(page));
    await context.newPage();
    return context;
  }

  /** A context whose first tab is not told what others do. A route would also switch off the cache of the browser. */
  async contextWithoutEvents(): Promise<BrowserContext> {
    const context = await this.context();
    const [page] = context.pages();
    if (page === undefined) throw new Error('The context has no tab');
    const blocker = await context.newCDPSession(page);
    await blocker.send('Network.enable');
    await blocker.send('Network.setBlockedURLs', { urls: ['*/v1/events/stream*', '*/v1/events?*wait=*'] });
    this.blockers.push(blocker);
    return context;
  }

  /** A tab that shows nothing yet. */
  async tab(context: BrowserContext): Promise<Page> {
    const [page] = context.pages();
    return this.unused.delete(context) && page !== undefined ? page : context.newPage();
  }

  /** A tab in which somebody has signed in and opened a view. */
  async open(context: BrowserContext, view: string, token: string): Promise<Page> {
    const page = await this.tab(context);
    await page.goto(`${this.service.url}/console${view}`);
    await this.signIn(page, token);
    return page;
  }

  async signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Use this token' }).click();
  }

  private watch(page: Page): void {
    page.on('pageerror', (error) => this.faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // A refused request is not a fault of the page; the browser writes it down as one.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.faults.push(`${page.url()}: ${message.text()}`);
      }
    });
  }

  /** Excludes a context from what `leave` clears. */
  keep(context: BrowserContext): void {
    this.contexts.splice(0, Infinity, ...this.contexts.filter(([, each]) => each !== context));
    this.blockers.length = 0;
  }

  /** Leaves one empty tab of each context to the next test, and returns the faults of all of them. */
  async leave(): Promise<string[]> {
    for (const blocker of this.blockers.splice(0)) await blocker.detach();
    for (const [kind, context] of this.contexts.splice(0)) {
      await this.clear(context);
      this.left.set(kind, [...(this.left.get(kind) ?? []), context]);
    }
    return this.faults.splice(0);
  }

  private async clear(context: BrowserContext): Promise<void> {
    const [page = await context.newPage(), ...others] = context.pages();
    await Promise.all(others.map((other) => other.close()));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await context.clearCookies();
    await page.emulateMedia({ media: null, colorScheme: null });
    await page.mouse.move(0, 0);
    // Another page of the same origin, where the console no longer writes to its storage.
    await page.goto(`${this.service.url}/health/live`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  }
}

/** Opens another view without loading the console again, as its links do. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${view}`)})`);
}

/** Chooses the language of the console for a user of this name, as in the dialog of the account. */
export async function chooseLanguage(page: Page, name: string, language: 'en' | 'de'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.locator('dialog select').first().selectOption(language);
  await page.locator('dialog [type=submit]').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.locator(`html[lang=${language}]`).waitFor();
}

/** Shared by the tests of a file: a world, and Ben, a colleague without a browser. */
export class Stage {
  world!: ConsoleWorld;
  ben!: WaybillClient;

  /** Returns what went wrong in the tabs of a test. */
  leave(): Promise<string[]> {
    return this.world.leave();
  }
}

/** Ann has one tab for all tests of a file, and loads the console once: each test looks at records of its own. */
export class KeptTab extends Stage {
  private tab: Page | undefined;

  constructor(private readonly receivesEvents: boolean) {
    super();
  }

  get page(): Page {
    if (this.tab === undefined) throw new Error('Ann has not opened the console yet');
    return this.tab;
  }

  async open(view: string): Promise<void> {
    if (this.tab === undefined) return this.load(view);
    // Leaving the view closes any dialog of the last test. Its notices are dismissed.
    await goTo(this.page, '/nowhere');
    await this.page.evaluate(
      `for (const dismiss of document.querySelectorAll('[role="status"] button[aria-label="Dismiss"]')) dismiss.click()`,
    );
    return goTo(this.page, view);
  }

  private async load(view: string): Promise<void> {
    const context = await (this.receivesEvents ? this.world.context() : this.world.contextWithoutEvents());
    this.tab = await this.world.open(context, view, await this.world.token('Ann'));
    this.world.keep(context);
  }

  override async leave(): Promise<string[]> {
    if (this.tab === undefined) return this.world.leave();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.context().setOffline(false);
    for (const tab of this.page.context().pages()) if (tab !== this.page) await tab.close();
    return this.world.leave();
  }

  readonly field = (name: string): Locator => this.page.getByRole('form').getByLabel(name, { exact: true });
  readonly save = () => this.page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
  readonly dialog = () => this.page.getByRole('dialog');
  readonly isSaved = () => this.page.getByText(/^Saved[.,]/).waitFor();
}

/** Starts the world before the tests of a file and stops it after them. No page may have written an error to its console. */
export function useWorld<S extends Stage>(stage: S, environment?: Record<string, string>): S {
  beforeAll(async () => {
    stage.world = await ConsoleWorld.start(environment);
    stage.ben = await stage.world.colleague('Ben');
  });
  afterAll(() => stage.world.stop());
  afterEach(async () => {
    expect(await stage.leave()).toEqual([]);
  });
  return stage;
}

export const HOME = { streetAddress1: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
export const SEASIDE = { streetAddress1: '9 Harbor Road', city: 'Norfolk', state: 'VA', postalCode: '23503' };

export const SHIPMENT: NewShipment = {
  shipmentType: 'HHG',
  pickupDate: '2027-03-01',
  deliveryDate: '2027-03-20',
  estimatedWeight: 4500,
  pickupAddress: HOME,
  destinationAddress: SEASIDE,
  customerRemarks: 'The piano stays upright. Please ring twice at the side door.',
};

/** Sets the clock of a page three days ahead. */
export const DAYS_LATER = `{
  const now = Date.now.bind(Date);
  Date.now = () => now() + 3 * 86_400_000;
}`;

/** A folder for pictures of the screens, of which the README shows three, light and dark. */
const PICTURES = process.env['CONSOLE_SCREENSHOTS'];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

function axeSource(): string {
  return readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
}

interface Violation {
  readonly id: string;
  readonly nodes: { readonly html: string; readonly any: { message: string }[] }[];
}

/**
 * In the middle of a transition a color is neither the old nor the new one. The pages' Content-Security-Policy refuses inline styles,
 * but not a style sheet that a script constructs.
 */
const NO_TRANSITIONS = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

/** Only an experimental rule reads preloaded style sheets, and there is no audio or video to preload. */
const AXE_OPTIONS = `resultTypes: ['violations'], preload: false`;

/** Two color schemes have the same elements. What their colors do is judged apart. */
const JUDGE_ELEMENTS = `async (part) => {
  const rules = { 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } };
  return (await axe.run(part, { rules, ${AXE_OPTIONS} })).violations;
}`;

/**
 * To judge the colors of one text takes axe-core milliseconds, and texts that look alike are many: one of them is judged, once in a tab.
 */
const JUDGE_COLORS = `async (part) => {
  const judged = (window.judgedLooks ??= new Set());
  const backgrounds = new Map([[null, '']]);
  const backgroundsOf = (element) => {
    if (!backgrounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity].join();
      const isClear = own === 'rgba(0, 0, 0, 0),none,1';
      backgrounds.set(element, backgroundsOf(element.parentElement) + (isClear ? '' : own + ';'));
    }
    return backgrounds.get(element);
  };
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
    const around = element.parentElement && getComputedStyle(element.parentElement).color;
    const isDisabled = element.closest(':disabled, [aria-disabled="true"]') !== null;
    return [backgroundsOf(element), color, around, fontSize, fontWeight, textDecorationLine, isDisabled].join();
  };
  const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility() && width > 1 && height > 1;
  };
  const hasText = (element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  const found = new Map();
  for (const element of document.querySelectorAll(part + ' *')) {
    if (!hasText(element) || !isSeen(element)) continue;
    const look = lookOf(element);
    if (!judged.has(look) && !found.has(look)) found.set(look, element);
  }
  if (found.size === 0) return [];
  for (const look of found.keys()) judged.add(look);
  const runOnly = ['color-contrast', 'link-in-text-block'];
  return (await axe.run([...found.values()], { runOnly, ${AXE_OPTIONS} })).violations;
}`;

/**
 * The violations that axe-core finds in both color schemes, as texts: in the open dialog, on the whole page, or in the part of it that a
 * selector names. With a name, a picture of the page is kept under it.
 */
export async function accessibilityFaults(page: Page, name?: string, within?: string): Promise<string[]> {
  const hasDialog = (await page.locator('dialog[open]').count()) > 0;
  const part = within ?? (hasDialog ? 'dialog[open]' : 'html');
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(`${axeSource()}; ${NO_TRANSITIONS}`);
  const judge = (how: string) => page.evaluate<Violation[]>(`(${how})(${JSON.stringify(part)})`);
  const violations = await judge(JUDGE_ELEMENTS);
  const width = page.viewportSize()?.width ?? 0;
  // Colors do not depend on the width, so a phone shows nothing new about them.
  const colorSchemes = width < 600 && PICTURES === undefined ? [] : (['dark', 'light'] as const);
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    violations.push(...(await judge(JUDGE_COLORS)));
    if (name !== undefined) await picture(page, `${name}-${colorScheme}-${width}`);
  }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
}
