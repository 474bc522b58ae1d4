import { KeptTexts, type BrowserStorage } from '../../console/src/model/kept-texts.js';
import { Store } from '../../console/src/store.js';

/** A browser's storage that takes so many characters. */
class SmallStorage implements BrowserStorage {
  constructor(private left: number) {}

  getItem(key: string): string | null {
    return (this as unknown as Record<string, string>)[key] ?? null;
  }

  setItem(key: string, text: string): void {
    if (text.length > this.left) throw new Error('QuotaExceededError');
    this.left -= text.length;
    Object.assign(this, { [key]: text });
  }

  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

const storageOf = (left: number) => {
  const storage = new SmallStorage(left);
  return new KeptTexts(() => storage);
};

test('what the browser keeps is read again, and gone when it is removed', () => {
  const storage = storageOf(100);
  expect(storage.writeJson('one', { value: 1 })).toBe(true);
  expect(storage.readJson('one')).toEqual({ value: 1 });
  expect(storage.keys()).toContain('one');
  storage.remove('one');
  expect(storage.read('one')).toBeUndefined();
});

test('a full storage fails nobody: the tab reads what it wrote last', () => {
  const storage = storageOf(5);
  expect(storage.write('one', 'short')).toBe(true);
  expect(storage.write('one', 'too long')).toBe(false);
  expect(storage.read('one')).toBe('too long');
  storage.remove('one');
  expect(storage.read('one')).toBeUndefined();
});

test('what does not fit leaves nothing older behind, which a reload would bring back', () => {
  const storage = new SmallStorage(5);
  const tab = new KeptTexts(() => storage);
  tab.write('one', 'short');
  expect(tab.write('one', 'too long')).toBe(false);
  expect(new KeptTexts(() => storage).read('one')).toBeUndefined();
  expect(tab.read('one')).toBe('too long');
});

test('a browser that refuses storage fails nobody', () => {
  const storage = new KeptTexts(() => {
    throw new Error('SecurityError');
  });
  expect(storage.read('one')).toBeUndefined();
  expect(storage.write('one', 'text')).toBe(false);
  expect(storage.keys()).toEqual(['one']);
  expect(storage.read('one')).toBe('text');
});

test('what is not JSON is nothing', () => {
  const storage = storageOf(100);
  storage.write('one', '{');
  expect(storage.readJson('one')).toBeUndefined();
});

test('a listener that fails is reported, and the next one is called', () => {
  const reported: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => reported.push(error) });
  const store = new Store(0);
  const told: number[] = [];
  store.subscribe(() => {
    throw new Error('a view that fails');
  });
  store.subscribe(() => told.push(store.get()));
  store.set(1);
  expect(told).toEqual([1]);
  expect(reported).toEqual([new Error('a view that fails')]);
});
