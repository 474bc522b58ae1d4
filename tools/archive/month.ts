/** A month in UTC, in the form YYYY-MM. History has one partition per month. */
export class Month {
  private constructor(
    private readonly year: number,
    private readonly number: number,
  ) {}

  static parse(written: string): Month {
    const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(written) ?? [];
    if (year === undefined || number === undefined)
      throw new Error(`A month must have the form YYYY-MM, but is "${written}"`);
    return new Month(Number(year), Number(number));
  }

  /** The month of a partition; undefined for the default partition. */
  static ofPartition(table: string): Month | undefined {
    const [, year, number] = /^history_(\d{4})_(\d{2})$/.exec(table) ?? [];
    return year === undefined || number === undefined ? undefined : new Month(Number(year), Number(number));
  }

  static current(): Month {
    return Month.parse(new Date().toISOString().slice(0, 7));
  }

  get partition(): string {
    return `history_${this.toString().replace('-', '_')}`;
  }

  get firstMoment(): string {
    return `${this.toString()}-01T00:00:00Z`;
  }

  isBefore(other: Month): boolean {
    return this.toString() < other.toString();
  }

  toString(): string {
    return `${String(this.year).padStart(4, '0')}-${String(this.number).padStart(2, '0')}`;
  }
}
