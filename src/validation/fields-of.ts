import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { LIST, OWN, PART, REQUIRED, type FieldsType } from './rules.js';

/** One rule of a field; `fields` are all fields of the record. */
export interface Check {
  readonly code: string;
  /** Completes a sentence that begins with the field name. */
  readonly message: (value: unknown) => string;
  readonly holds: (value: unknown, fields: object) => boolean;
}

export interface Field {
  readonly name: string;
  readonly part: FieldsType<object> | undefined;
  readonly required: boolean;
  /** The field takes a list; each item is checked separately. */
  readonly isList: boolean;
  /** Run in this order; each check may assume that the earlier ones passed. */
  readonly checks: readonly Check[];
}

type Class = abstract new () => object;

const known = new WeakMap<Class, readonly Field[]>();

/** The decorated properties of a class with their rules, compiled once: class-validator's `validate` looks them up for every object. */
export function fieldsOf(type: Class): readonly Field[] {
  let fields = known.get(type);
  if (fields === undefined) {
    const prototype = type.prototype as object;
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    requireOwn(type, rules);
    // Inherited fields come first.
    rules.sort((one, other) => Number(one.target === type) - Number(other.target === type));
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))].map((name) => ({
      name,
      part: (Reflect.getMetadata(PART, prototype, name) as (() => FieldsType<object>) | undefined)?.(),
      required: Reflect.hasMetadata(REQUIRED, prototype, name),
      isList: Reflect.hasMetadata(LIST, prototype, name),
      checks: rules.filter(({ propertyName }) => propertyName === name).flatMap(checksOf),
    }));
    known.set(type, fields);
  }
  return fields;
}

/** class-validator's decorators would be ignored, or lack a code, null and the API document. */
function requireOwn(type: Class, rules: readonly Rule[]): void {
  const foreign = rules.find(({ context }) => context !== OWN);
  if (foreign === undefined) return;
  const decorator = foreign.name ?? foreign.type;
  throw new Error(
    `${type.name}.${foreign.propertyName} has a rule of class-validator (${decorator}): use the rules of src/validation/rules.ts instead`,
  );
}

/** The code and message of the first rule that a value, or an item of a list, breaks. */
export function brokenRule({ isList, checks }: Field, value: unknown, fields: object) {
  const values: readonly unknown[] = isList && Array.isArray(value) ? value : [value];
  for (const each of values) {
    const broken = checks.find(({ holds }) => !holds(each, fields));
    if (broken !== undefined) return { code: broken.code, message: broken.message(each) };
  }
  return undefined;
}

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

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

function checksOf({ name, constraintCls, propertyName, constraints }: Rule): Check[] {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance }) => {
      const at = (object: object, value: unknown): ValidationArguments => {
        return { targetName: '', property: propertyName, object, value, constraints };
      };
      return {
        code: String(name),
        message: (value) => instance.defaultMessage?.(at({}, value)) ?? '',
        holds: (value, fields) => instance.validate(value, at(fields, value)) === true,
      };
    });
}
