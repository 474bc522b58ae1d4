/** A pseudorandom number generator: the same seed gives the same draws in the same order. */
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
    let left = this.fraction() * sum(weights);
    for (const option in weights) {
      left -= weights[option] ?? 0;
      if (left < 0) return option;
    }
    throw new Error('There is nothing to choose from');
  }

  /** A UUIDv7 of that moment: ids sort by time, as those of the service do. */
  uuid(moment: number): string {
    const time = Math.floor(moment / 2 ** 16);
    const first = this.bits();
    const second = this.bits();
    const third = this.bits();
    const version = hex(0x7000 | (first >>> 20));
    const variant = hex(0x8000 | (second >>> 18));
    return `${hex(time >>> 16)}${hex(time)}-${hex(moment % 2 ** 16)}-${version}-${variant}-${hex(first)}${hex(third >>> 16)}${hex(third)}`;
  }
}

function sum(weights: Partial<Record<string, number>>): number {
  let all = 0;
  for (const option in weights) all += weights[option] ?? 0;
  return all;
}

/** Looked up, because ids are most of what is written and to spell a number takes its time. */
const HEX = Array.from({ length: 2 ** 16 }, (_, number) => number.toString(16).padStart(4, '0'));

/** The lowest sixteen bits as four digits. */
function hex(number: number): string {
  return HEX[number & 0xffff] ?? '';
}
