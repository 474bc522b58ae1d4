/** The part of the browser's storage that is used. */
export interface BrowserStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/**
 * What the browser keeps for the console. A browser can refuse to keep anything, or be full. Then the tab remembers the value until it is
 * closed: no caller fails, and what it reads is what it wrote last, or after a reload nothing.
 */
export class KeptTexts {
  private readonly unkept = new Map<string, string>();

  constructor(private readonly open: () => BrowserStorage) {}

  read(key: string): string | undefined {
    return this.unkept.get(key) ?? this.attempt((storage) => storage.getItem(key) ?? undefined);
  }

  /** Undefined if there is none, or one that is not JSON. */
  readJson<T>(key: string): T | undefined {
    try {
      return (JSON.parse(this.read(key) ?? 'null') as T | null) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns false if only the tab remembers it. */
  write(key: string, text: string): boolean {
    const isKept = this.attempt((storage) => {
      storage.setItem(key, text);
      return true;
    });
    if (isKept === true) {
      this.unkept.delete(key);
      return true;
    }
    // An older text would come back after a reload: without an attempt that was sent meanwhile, for example, which would then be repeated.
    this.remove(key);
    this.unkept.set(key, text);
    return false;
  }

  writeJson(key: string, value: unknown): boolean {
    return this.write(key, JSON.stringify(value));
  }

  remove(key: string): void {
    this.unkept.delete(key);
    this.attempt((storage) => storage.removeItem(key));
  }

  keys(): string[] {
    return [...new Set([...this.unkept.keys(), ...(this.attempt((storage) => Object.keys(storage)) ?? [])])];
  }

  private attempt<T>(act: (storage: BrowserStorage) => T): T | undefined {
    try {
      return act(this.open());
    } catch {
      return undefined;
    }
  }
}
