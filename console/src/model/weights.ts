import { formats, number, region, type WeightUnit } from '../texts/region.js';
import { t } from '../texts/texts.js';
import { fieldOf, type Value, type Values } from './fields.js';

/** Exact by definition. */
const KG_PER_LB = 0.453_592_37;

const UNITS: Readonly<Record<string, WeightUnit>> = { lb: 'lb', lbs: 'lb', kg: 'kg' };
/** Groups of three digits, behind a point, a comma, an apostrophe or a space. */
const GROUPED = /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/;
const PLAIN = /^\d{1,15}$/;

/** A weight in pounds, as it is shown. */
export function formatWeight(pounds: number): string {
  return `${formats.weight.format(inUnit(pounds))} ${region.weightUnit}`;
}

/** A weight in pounds, the unit of files, whatever unit is chosen. */
export function formatPounds(pounds: number): string {
  return `${formats.weight.format(pounds)} lb`;
}

/**
 * A weight in pounds, as it stands in an input. A pound is more than four tenths of a kilogram, so one decimal distinguishes all pounds:
 * `weightOf` makes the same pounds of it.
 */
export function weightText(value: Value): string {
  return typeof value === 'number' ? formats.weightInput.format(inUnit(value)) : (value ?? '');
}

/**
 * The weight that the user typed, in whole pounds: with separators as in the language of the page, or such that they can only mean one
 * number, and perhaps a unit. Text that is not a weight, or could mean two, is returned unchanged; `weightFault` says why.
 */
export function weightOf(text: string): Value {
  if (text.trim() === '') return null;
  const { unit, digits } = partsOf(text);
  const typed = numberOf(digits);
  if (typed === undefined || (unit === 'lb' && !Number.isInteger(typed))) return text;
  return unit === 'lb' ? typed : Math.round(typed / KG_PER_LB);
}

/** Whether a weight was typed in another way than the input shows it, so that the user should see how it was understood. */
export function isReadAnew(text: string): boolean {
  return typeof weightOf(text) === 'number' && !/^\d+(?:[.,]\d)?$/.test(text.trim());
}

/** Why the text in the input of a weight is not understood. */
export function weightFault(text: string): string {
  const { unit, digits } = partsOf(text);
  const [, whole, fraction] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(digits) ?? [];
  if (whole !== undefined && fraction !== undefined && numberOf(digits) === undefined) {
    return t.fields.twoNumbers(number(Number(`${whole}.${fraction}`)), number(Number(whole + fraction)));
  }
  return unit === 'lb' && numberOf(digits) !== undefined ? t.fields.wholePounds : t.fields.noWeight;
}

/** Why weights among typed values are not understood, by field. */
export function weightFaults(values: Values): Record<string, string> {
  const isText = ([field, value]: [string, Value]) => fieldOf(field)?.input === 'weight' && typeof value === 'string';
  const texts = Object.entries(values).filter(isText);
  return Object.fromEntries(texts.map(([field, value]) => [field, weightFault(String(value))]));
}

/** The number without spaces around it, and the unit. Full-width digits and narrow spaces become ordinary ones. */
function partsOf(text: string): { readonly unit: WeightUnit; readonly digits: string } {
  const plain = text.normalize('NFKC').replaceAll(/\s/g, ' ').replaceAll('’', "'").trim();
  const [, digits = plain, unit = ''] = /^(.*\d) ?(lbs?|kg)\.?$/i.exec(plain) ?? [];
  return { unit: UNITS[unit.toLowerCase()] ?? region.weightUnit, digits };
}

/** Undefined if it is not a number, or could be one of two. */
function numberOf(digits: string): number | undefined {
  if (PLAIN.test(digits)) return Number(digits);
  const decimal = formats.decimalSeparator;
  const [, group] = GROUPED.exec(digits) ?? [];
  if (group !== undefined) {
    // A separator that occurs once is for thousands, unless the language of the page uses it for decimals.
    const isCertain = group !== decimal || digits.split(group).length > 2;
    return isCertain ? Number(digits.replaceAll(group, '')) : undefined;
  }
  const [, whole = '', separator, fraction = ''] = /^(.*\d)([.,])(\d+)$/.exec(digits) ?? [];
  if (separator === undefined) return undefined;
  if (PLAIN.test(whole)) {
    const isCertain = separator === decimal || fraction.length < 3;
    return isCertain ? Number(`${whole}.${fraction}`) : undefined;
  }
  const [, other] = GROUPED.exec(whole) ?? [];
  return other === undefined || other === separator ? undefined : Number(`${whole.replaceAll(other, '')}.${fraction}`);
}

function inUnit(pounds: number): number {
  return region.weightUnit === 'lb' ? pounds : pounds * KG_PER_LB;
}
