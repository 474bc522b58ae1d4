import { applyDecorators } from '@nestjs/common';
import { getMetadataStorage, ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import { isCalendarDate } from '../http/parameters.js';

/**
 * One rule of a field; its code is what clients see when it is broken. A rule speaks only of values that the rules above it
 * passed. Null, which absent becomes, breaks no rule but `Required`.
 */
function rule(code: string, message: string, holds: (value: unknown) => boolean): PropertyDecorator {
  return RuleOfRecord<object>(code, message, (_, value) => value === null || value === undefined || holds(value));
}

/** A rule that needs the other fields too. Put it on each field that can break it. */
export function RuleOfRecord<F extends object>(
  code: string,
  message: string,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, at?: ValidationArguments) => holds(at?.object as F, value);
  return ValidateBy({ name: code, validator: { validate, defaultMessage: () => message } });
}

const isText = (value: unknown): value is string => typeof value === 'string';
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LAYOUT = /[^\P{Cc}\t\n\r]/u;

/** The field must be there and not null. */
export function Required(): PropertyDecorator {
  return RuleOfRecord('REQUIRED', 'is required', (_, value) => value !== null && value !== undefined);
}

/** Text of limited length, counted in code points. `lines` allows tabs and line breaks, `blank` a text that says nothing. */
export function Text(longest: number, { lines = false, blank = false } = {}): PropertyDecorator {
  const forbidden = lines ? CONTROL_BUT_LAYOUT : CONTROL;
  return applyDecorators(
    rule('WRONG_TYPE', 'must be a text', isText),
    rule('BLANK', 'must not be empty or blank', (value) => blank || !isText(value) || /\S/.test(value)),
    rule(
      'TOO_LONG',
      `must not have more than ${longest} characters`,
      (value) => !isText(value) || [...value].length <= longest,
    ),
    rule('FORBIDDEN_CHARACTER', 'must not contain control characters or broken Unicode', (value) => {
      return !isText(value) || (!forbidden.test(value) && value.isWellFormed());
    }),
  );
}

export function CalendarDate(): PropertyDecorator {
  return applyDecorators(
    rule('WRONG_TYPE', 'must be a text', isText),
    rule(
      'INVALID_DATE',
      'must be a calendar day as YYYY-MM-DD, 1900 to 2199',
      (value) => !isText(value) || isCalendarDate(value),
    ),
  );
}

export function WholeNumber(least: number, most: number): PropertyDecorator {
  return applyDecorators(
    rule('WRONG_TYPE', 'must be a whole number', Number.isInteger),
    rule('OUT_OF_RANGE', `must be from ${least} to ${most}`, (value) => {
      return !Number.isInteger(value) || (Number(value) >= least && Number(value) <= most);
    }),
  );
}

export function OneOf(options: readonly string[]): PropertyDecorator {
  return applyDecorators(
    rule('WRONG_TYPE', 'must be a text', isText),
    rule('NOT_ALLOWED', `must be one of ${options.join(', ')}`, (value) => !isText(value) || options.includes(value)),
  );
}

export function Identifier(): PropertyDecorator {
  return rule(
    'INVALID_ID',
    'must be an id',
    (value) => isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  );
}

const PART = 'waybill:part';

/** An object with fields of its own. */
export function Part(type: () => FieldsType<object>): PropertyDecorator {
  const given = ValidateIf((_, value) => value !== null);
  return applyDecorators(given, ValidateNested(), Reflect.metadata(PART, type));
}

/** A class whose decorated properties are what a client may write. */
export interface FieldsType<Fields extends object> {
  new (): Fields;
  /** What the server sets: a client may echo it, never change it. */
  readonly readOnly: readonly string[];
}

export interface Field {
  readonly name: string;
  readonly part: FieldsType<object> | undefined;
}

const known = new WeakMap<FieldsType<object>, readonly Field[]>();

/** The fields of a class, found out once. */
export function fieldsOf(type: FieldsType<object>): readonly Field[] {
  let fields = known.get(type);
  if (fields === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    fields = [...new Set(rules.map(({ propertyName }) => propertyName))].map((name) => {
      const part = Reflect.getMetadata(PART, type.prototype as object, name) as (() => FieldsType<object>) | undefined;
      return { name, part: part?.() };
    });
    known.set(type, fields);
  }
  return fields;
}
