import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { isRequired, partAt, type FieldsType } from './rules.js';

/** One rule of a field; `fields` are those of the whole record that the value is part of. */
export interface Check {
  readonly code: string;
  readonly message: string;
  readonly holds: (value: unknown, fields: object) => boolean;
}

export interface Field {
  readonly name: string;
  readonly part: FieldsType<object> | undefined;
  readonly required: boolean;
  /** In the order in which they are to be asked: each speaks only of values that those before it passed. */
  readonly checks: readonly Check[];
}

const known = new WeakMap<FieldsType<object>, readonly Field[]>();

/** The fields of a class with their rules, found out once; class-validator's own run would find them out for each object. */
export function fieldsOf(type: FieldsType<object>): readonly Field[] {
  let fields = known.get(type);
  if (fields === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))].map((name) => ({
      name,
      part: partAt(type, name),
      required: isRequired(type, name),
      checks: rules.filter(({ propertyName }) => propertyName === name).flatMap(checksOf),
    }));
    known.set(type, fields);
  }
  return fields;
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
        message: instance.defaultMessage?.(at({}, undefined)) ?? '',
        holds: (value, fields) => instance.validate(value, at(fields, value)) === true,
      };
    });
}
