import { plainToInstance } from 'class-transformer';
import { brokenRule, fieldsOf } from './fields-of.js';

/** Parses text values, such as query parameters or environment variables, into an object of the class that has their rules. */
export function readTexts<T extends object>(
  type: new () => T,
  texts: Readonly<Record<string, string | readonly string[]>>,
) {
  const values = plainToInstance(type, texts);
  const broken = fieldsOf(type).flatMap((field) => {
    // A missing text keeps the default of the class and can only break the rule `Required`.
    if (texts[field.name] === undefined && !field.required) return [];
    const fault = brokenRule(field, (values as Record<string, unknown>)[field.name], values);
    return fault === undefined ? [] : [{ ...fault, field }];
  });
  return { values, broken };
}
