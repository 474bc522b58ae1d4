import { formats, region, type WeightUnit } from '../texts/region.js';
import type { Value } from './fields.js';

/** Exact by definition. */
const KG_PER_LB = 0.453_592_37;

/** Whole numbers; kilograms also with one decimal, behind a point or a comma. More digits could be thousands. */
const NUMBERS: Readonly<Record<WeightUnit, RegExp>> = { lb: /^\d{1,15}$/, kg: /^\d{1,9}([.,]\d)?$/ };

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

/** The weight that the user typed, in whole pounds. Text that is not a weight is sent unchanged, so that the service reports the error. */
export function weightOf(text: string): Value {
  if (text === '') return null;
  if (!NUMBERS[region.weightUnit].test(text)) return text;
  const typed = Number(text.replace(',', '.'));
  return region.weightUnit === 'lb' ? typed : Math.round(typed / KG_PER_LB);
}

function inUnit(pounds: number): number {
  return region.weightUnit === 'lb' ? pounds : pounds * KG_PER_LB;
}
