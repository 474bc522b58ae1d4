import type { KeptTexts } from './kept-texts.js';

interface Tabs {
  /** Names this tab. */
  readonly own: () => string;
  /** The other tabs that are open. */
  readonly others: () => ReadonlySet<string>;
}

interface Kept {
  readonly key: string;
  readonly tab: string;
  readonly at: string;
}

/**
 * What a tab keeps until it is done, like a draft. The browser keeps it, so that it survives the tab; but each tab has its own, so that two
 * tabs do not destroy each other's. What a closed tab left is taken over by the next one that asks for it.
 */
export class KeptByTab {
  constructor(
    private readonly texts: KeptTexts,
    private readonly tabs: Tabs,
  ) {}

  /** What this tab keeps under a name, or what a closed one left. */
  read<T>(name: string): T | undefined {
    this.takeOver(name);
    return this.texts.readJson(this.keyOf(name));
  }

  /** Returns false if the browser cannot store it. */
  write(name: string, value: object | undefined): boolean {
    if (value !== undefined) return this.texts.writeJson(this.keyOf(name), { ...value, at: new Date().toISOString() });
    this.texts.remove(this.keyOf(name));
    return true;
  }

  /**
   * Makes what a closed tab left under these names this tab's own, unless it has something of its own under one of them. All of it comes
   * from the tab that wrote last, because it belongs together.
   */
  takeOver(...names: readonly string[]): void {
    if (names.some((name) => this.texts.read(this.keyOf(name)) !== undefined)) return;
    const left = names.flatMap((name) => this.allOf(name)).filter(({ tab }) => !this.tabs.others().has(tab));
    const [latest] = left.sort((one, other) => other.at.localeCompare(one.at));
    if (latest === undefined) return;
    for (const name of names) {
      const theirs = this.allOf(name).find(({ tab }) => tab === latest.tab);
      const text = theirs && this.texts.read(theirs.key);
      if (theirs === undefined || text === undefined) continue;
      // Removed first, because both may not fit.
      this.texts.remove(theirs.key);
      this.texts.write(this.keyOf(name), text);
    }
  }

  /** Whether another open tab keeps something under a name. */
  isElsewhere(name: string): boolean {
    return this.allOf(name).some(({ tab }) => this.tabs.others().has(tab));
  }

  private keyOf(name: string): string {
    return `${name}@${this.tabs.own()}`;
  }

  /** What the tabs of this browser keep under a name. Those of an earlier version of the console did not name their tab. */
  private allOf(name: string): Kept[] {
    // The name of a tab has no @, unlike the longer name of something else, which can contain the address of a person.
    const isOfTab = (key: string) => key.startsWith(`${name}@`) && !key.includes('@', name.length + 1);
    const keys = this.texts.keys().filter((key) => key === name || isOfTab(key));
    return keys.map((key) => {
      const { at = '' } = this.texts.readJson<{ at?: string }>(key) ?? {};
      return { key, tab: key.slice(name.length + 1), at };
    });
  }
}
