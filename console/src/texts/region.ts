export type WeightUnit = 'lb' | 'kg';

interface Region {
  /** For dates and numbers; undefined is the browser's own. */
  readonly locale: string | undefined;
  readonly weightUnit: WeightUnit;
}

/** How dates, numbers and weights are written. */
export let region: Region = { locale: undefined, weightUnit: 'lb' };
export let formats = formatsOf(undefined);

export function setRegion(next: Region): void {
  region = next;
  formats = formatsOf(next.locale);
}

function formatsOf(locale: string | undefined) {
  return {
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
    dayAndYear: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
    wholeDay: new Intl.DateTimeFormat(locale, { dateStyle: 'full' }),
    longDay: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
    weekday: new Intl.DateTimeFormat(locale, { weekday: 'short' }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
    time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }),
    number: new Intl.NumberFormat(locale),
    decimalSeparator:
      new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    weight: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    weightInput: new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  };
}

export function number(count: number): string {
  return formats.number.format(count);
}
