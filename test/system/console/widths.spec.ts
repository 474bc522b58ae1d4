import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { fillBoard } from './fill-board.js';
import { ALL_SCOPES, chooseLanguage, goTo, SHIPMENT, Stage, useWorld } from './harness.js';

/** From a small phone to a large screen, and where each layout begins. At 200 % zoom a window is half as wide. */
const WIDTHS = [320, 360, 390, 480, 600, 641, 720, 800, 900, 961, 1034, 1100, 1217, 1281, 1366, 1440, 1601, 1921, 2560];
/** For views: the narrowest window of each layout, and some in which a view has been too wide. */
const NARROWEST = [320, 480, 641, 720, 769, 961, 1034, 1217];
const NAME = 'Maximiliane von Hohenfels-Winterberg';

/**
 * What is wider than its place: the page, the view, the bar, and anything in the bar that is cut off. The views in the bar may scroll on a phone.
 * Also codes and statuses in the calendar that are cut off, and long texts in narrow columns.
 */
const TOO_WIDE = `(() => {
  const bar = document.querySelector('header');
  const places = [document.documentElement, document.querySelector('main'), bar].filter(Boolean);
  const wide = places.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.localName + ' ' + each.scrollWidth);
  const views = bar?.querySelector('nav') ?? null;
  const areCut = innerWidth > 700 && views !== null && views.scrollWidth > views.clientWidth;
  const outside = [...(bar?.children ?? [])].filter((each) => each.getBoundingClientRect().right > innerWidth);
  const search = bar?.querySelector('input')?.getBoundingClientRect().width ?? 0;
  const shipments = [...document.querySelectorAll('[data-shipment]')];
  const cut = shipments.filter((each) => each.firstElementChild.getBoundingClientRect().right > each.getBoundingClientRect().right);
  const right = (each) => each.getBoundingClientRect().right;
  const marks = [...document.querySelectorAll('article [class*=badge]')].filter((each) => right(each) > right(each.closest('article')));
  const texts = [...document.querySelectorAll('main span, main p')].filter((each) => each.checkVisibility() && each.innerText.length > 30);
  const squeezed = texts.filter((each) => each.clientWidth > 0 && each.clientWidth < 80);
  return [
    ...wide,
    ...outside.map((each) => 'in the bar: ' + each.innerText),
    ...(areCut ? ['views in the bar'] : []),
    ...(search < 150 ? ['search ' + search] : []),
    ...[...cut, ...marks].slice(0, 1).map((each) => 'cut: ' + each.innerText),
    ...squeezed.slice(0, 1).map((each) => 'squeezed to ' + each.clientWidth + ': ' + each.innerText),
  ];
})()`;

describeInBrowser('at every width', () => {
  // Somebody who may do everything has the most views.
  const stage = useWorld(new Stage(), { AUTH_MODE: 'jwt,keys' });
  let page: Page;
  let views: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const [ben, carla] = await Promise.all([stage.world.colleague('Ben'), stage.world.colleague('Carla')]);
    const id = await fillBoard(ben, carla);
    const { moveID, eTag } = await ben.shipments.get(id);
    const deleted = await ben.shipments.create({ ...SHIPMENT, shipmentType: 'Household goods, oversized and fragile' });
    await ben.shipments.delete(deleted.id);
    const imported = await ben.imports.upload(`id,eTag,estimatedWeight,deliveryDate\n${id},${eTag},4900,2027-02-30`);
    views = {
      today: '',
      ...{
        board: '/board',
        list: '/list?status=SUBMITTED',
        moves: '/moves',
        calendar: '/calendar',
        week: '/calendar?span=week',
      },
      ...{ shipment: `/shipments/${id}`, edit: `/shipments/${id}/edit`, agent: `/shipments/${id}/agents/new` },
      ...{ new: '/shipments/new', move: `/moves/${moveID}`, print: `/shipments/${id}/print` },
      ...{
        imports: '/imports',
        import: `/imports/${imported.id}`,
        webhooks: '/webhooks',
        keys: '/keys',
        deleted: '/deleted',
      },
    };
  });

  /** Both tests use one tab. */
  beforeAll(async () => {
    const context = await stage.world.context({ locale: 'de-DE' });
    stage.world.keep(context);
    page = await stage.world.tab(context);
    await page.goto(`${stage.world.service.url}/console`);
    const token = await stage.world.token(NAME, { scope: `${ALL_SCOPES} keys:read` });
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.locator('form button').first().click();
    await page.locator('header nav').waitFor();
  });

  const resize = (width: number) => page.setViewportSize({ width, height: 700 });
  const show = async (view: string) => {
    await goTo(page, view);
    await page.locator('main :is(h1, h2)').first().waitFor();
    await page.locator('main [class*=loading]').first().waitFor({ state: 'detached' });
  };
  /** The width of the search box at each width of the window. Everything fits. */
  const searchWidths = async () => {
    const widths: Record<string, number> = {};
    const found: string[] = [];
    for (const width of WIDTHS) {
      await resize(width);
      const inputWidth = `document.querySelector('header input').clientWidth`;
      const [search, ...wide] = await page.evaluate<[number, ...string[]]>(`[${inputWidth}, ...${TOO_WIDE}]`);
      widths[width] = search;
      found.push(...wide.map((text) => `${width}: ${text}`));
    }
    expect(found).toEqual([]);
    return widths;
  };
  const speak = async (language: 'en' | 'de') => {
    await resize(1440);
    await chooseLanguage(page, NAME, language);
  };

  test('no page is wider than its window in German, whose words are longer', async () => {
    const found: string[] = [];
    for (const [name, view] of Object.entries(views)) {
      await show(view);
      for (const width of NARROWEST) {
        await resize(width);
        found.push(...(await page.evaluate<string[]>(TOO_WIDE)).map((text) => `${name}, ${width}: ${text}`));
      }
    }
    expect(found).toEqual([]);
  });

  test('the bar and the list fit in both languages, also while the console reconnects', async () => {
    await show('/list');
    const german = await searchWidths();
    await speak('en');
    const english = await searchWidths();
    await page.route('**/v1/events**', (route) => route.abort());
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.locator('header [class*=reconnecting]').waitFor();
    expect(await searchWidths()).toEqual(english);
    await speak('de');
    expect(await searchWidths()).toEqual(german);
  });
});
