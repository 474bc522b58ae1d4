/** What the sign-in of the console needs of a browser. */
export interface FakeBrowser {
  /** Shared by sessionStorage and localStorage. */
  readonly kept: Map<string, string>;
  readonly location: { href: string; origin: string; pathname: string; search: string };
  /** How often the page asked to be loaded anew. */
  reloads: number;
}

/** Lets modules of the console that are imported afterwards run in Node.js, in a browser that has kept something of earlier pages. */
export function useFakeBrowser(settings: object, origin: string, kept = new Map<string, string>()): FakeBrowser {
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
  const location = {
    href: `${origin}/console/`,
    origin,
    pathname: '/console/list',
    search: '',
    assign: (url: URL | string) => void (location.href = String(url)),
    reload: () => void (browser.reloads += 1),
  };
  const browser = { kept, location, reloads: 0 };
  Object.assign(globalThis, {
    location,
    document: { querySelector: () => ({ content: JSON.stringify(settings) }) },
    history: { replaceState: () => undefined },
    sessionStorage: storage,
    localStorage: storage,
    // No other window waits for an answer.
    BroadcastChannel: class extends EventTarget {
      postMessage = () => undefined;
    },
  });
  return browser;
}
