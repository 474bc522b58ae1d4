import { KeptByTab } from '../../console/src/model/kept-by-tab.js';
import { KeptTexts } from '../../console/src/model/kept-texts.js';

/** The tabs of a browser, which share its storage. */
class Browser {
  private readonly open = new Set<string>();
  private readonly texts = new Map<string, string>();

  tab(name: string): KeptByTab {
    this.open.add(name);
    const storage = {
      getItem: (key: string) => this.texts.get(key) ?? null,
      setItem: (key: string, text: string) => void this.texts.set(key, text),
      removeItem: (key: string) => void this.texts.delete(key),
    };
    const kept = new KeptTexts(() => storage);
    kept.keys = () => [...this.texts.keys()];
    const others = () => new Set([...this.open].filter((each) => each !== name));
    return new KeptByTab(kept, { own: () => name, others });
  }

  close(name: string): void {
    this.open.delete(name);
  }

  keep(key: string, value: object): void {
    this.texts.set(key, JSON.stringify(value));
  }
}

const text = (value: string) => ({ value });
let browser: Browser;
beforeEach(() => {
  browser = new Browser();
});

test('each of two tabs reads what it wrote itself, and knows of the other', () => {
  const [one, other] = [browser.tab('one'), browser.tab('other')];
  one.write('draft', text('of one'));
  expect(other.read('draft')).toBeUndefined();
  expect(other.isElsewhere('draft')).toBe(true);
  other.write('draft', text('of the other'));
  other.write('draft', undefined);
  expect(one.read('draft')).toMatchObject(text('of one'));
  expect(one.isElsewhere('draft')).toBe(false);
});

test('what a closed tab left is taken over by one tab', () => {
  browser.tab('closed').write('draft', text('left'));
  const [one, other] = [browser.tab('one'), browser.tab('other')];
  browser.close('closed');
  expect(one.read('draft')).toMatchObject(text('left'));
  expect(other.read('draft')).toBeUndefined();
  one.write('draft', undefined);
  expect(one.read('draft')).toBeUndefined();
});

test('nothing is taken over in the place of one’s own, and it is not lost', () => {
  browser.tab('closed').write('draft', text('left'));
  const one = browser.tab('one');
  one.write('draft', text('of one'));
  browser.close('closed');
  expect(one.read('draft')).toMatchObject(text('of one'));
  one.write('draft', undefined);
  expect(one.read('draft')).toMatchObject(text('left'));
});

test('what belongs together comes from one tab, the one that wrote last', () => {
  for (const [tab, at] of [
    ['first', '2027-01-02'],
    ['last', '2027-01-03'],
  ] as const) {
    browser.keep(`progress@${tab}`, { ...text(tab), at: '2027-01-01' });
    browser.keep(`draft@${tab}`, { ...text(tab), at });
  }
  const one = browser.tab('one');
  one.takeOver('progress', 'draft');
  expect([one.read('progress'), one.read('draft')]).toMatchObject([text('last'), text('last')]);
});

test('what an earlier version of the console kept, without a tab, is taken over', () => {
  browser.keep('draft', { ...text('old'), at: '2027-01-01' });
  browser.keep('draft.of.another.record', text('not this one'));
  expect(browser.tab('one').read('draft')).toMatchObject(text('old'));
});

test('what is kept for somebody whose name begins alike is theirs', () => {
  browser.tab('closed').write('changes.ann@example.com', text('of another Ann'));
  browser.close('closed');
  const one = browser.tab('one');
  expect(one.read('changes.ann')).toBeUndefined();
  expect(one.read('changes.ann@example.com')).toMatchObject(text('of another Ann'));
});
