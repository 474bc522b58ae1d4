/** Chance that comes out the same every time: the same seed gives the same draws in the same order. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number) {
    this.a = 0x9e3779b9 ^ seed;
    this.b = 0x243f6a88 ^ Math.floor(seed / 2 ** 32);
    this.c = 0xb7e15162;
    // Seeds that differ in one bit only begin alike; a few rounds drive them apart.
    for (let round = 0; round < 16; round++) this.bits();
  }

  /** 32 random bits, by the small fast counting generator (sfc32). */
  bits(): number {
    const sum = (this.a + this.b + this.counter++) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 up to, not including, 1. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  /** One of the options, as often as its weight says. */
  weighted<Option extends string>(weights: Partial<Record<Option, number>>): Option {
    const entries = Object.entries(weights) as [Option, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [option, weight] of entries) {
      left -= weight;
      if (left < 0) return option;
    }
    throw new Error('There is nothing to choose from');
  }

  /** A UUIDv7 of that moment: ids sort by time, as those of the service do. */
  uuid(moment: number): string {
    const time = moment.toString(16).padStart(12, '0');
    const [first, second, third] = [this.bits(), this.bits(), this.bits()];
    const version = (0x7000 | (first >>> 20)).toString(16);
    const variant = (0x8000 | (second >>> 18)).toString(16);
    const tail = (first & 0xffff).toString(16).padStart(4, '0') + third.toString(16).padStart(8, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${tail}`;
  }
}
