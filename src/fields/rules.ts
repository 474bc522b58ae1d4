import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { getMetadataStorage, ValidateBy, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import { FORBIDDEN_CHARACTERS, hasForbiddenCharacter, isBlank, isLongerThan, textPattern } from '../http/characters.js';
import { CALENDAR_DATE, isCalendarDate } from '../http/parameters.js';
import { isUUID, UUID } from '../schema/json-schema.js';
import { shape } from './shape.js';

/**
 * One rule of a field; its code is what clients see when it is broken. A rule speaks only of values that the rules above it
 * passed. Null, which absent becomes, breaks no rule but `Required`.
 */
function rule(code: string, message: string, holds: (value: unknown) => boolean): PropertyDecorator {
  return check<object>(code, message, (_, value) => value === null || value === undefined || holds(value));
}

/** A rule that needs the other fields too. Put it on each field that can break it. */
export function RuleOfRecord<F extends object>(
  code: string,
  message: string,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  return applyDecorators(shape({ notes: [message] }), check(code, message, holds));
}

function check<F extends object>(
  code: string,
  message: string,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, at?: ValidationArguments) => holds(recordOf(at?.object) as F, value);
  return ValidateBy({ name: code, validator: { validate, defaultMessage: () => message } });
}

const records = new WeakMap<object, object>();

/** Lets the rules of some fields see the whole record that they will be part of. */
export function judgeAsPartOf(record: object, fields: object): void {
  records.set(fields, record);
}

function recordOf(fields: object | undefined): object | undefined {
  return fields && (records.get(fields) ?? fields);
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The field must be there and not null. */
export function Required(): PropertyDecorator {
  return applyDecorators(
    shape({ required: true }),
    check('REQUIRED', 'is required', (_, value) => value !== null && value !== undefined),
  );
}

/** Text of limited length, counted in code points. `lines` makes it prose (see characters.ts), `blank` lets it say nothing. */
export function Text(longest: number, { lines = false, blank = false } = {}): PropertyDecorator {
  const kind = lines ? 'long' : 'short';
  return applyDecorators(
    shape({
      schema: {
        type: 'string',
        ...(!blank && { minLength: 1 }),
        maxLength: longest,
        pattern: textPattern(kind, !blank),
      },
    }),
    rule('WRONG_TYPE', 'must be a text', isText),
    rule('BLANK', 'must not be empty or blank', (value) => blank || !isText(value) || !isBlank(value)),
    rule(
      'TOO_LONG',
      `must not have more than ${longest} characters`,
      (value) => !isText(value) || !isLongerThan(value, longest),
    ),
    rule('FORBIDDEN_CHARACTER', FORBIDDEN_CHARACTERS[kind], (value) => {
      return !isText(value) || !hasForbiddenCharacter(value, kind);
    }),
  );
}

export function CalendarDate(): PropertyDecorator {
  return applyDecorators(
    shape({ schema: CALENDAR_DATE }),
    rule('WRONG_TYPE', 'must be a text', isText),
    rule(
      'INVALID_DATE',
      'must be a calendar day as YYYY-MM-DD, 1900 to 2199',
      (value) => !isText(value) || isCalendarDate(value),
    ),
  );
}

/** 1.0 and 1e2 are whole numbers in JSON. A number too large for a double, such as 1e400, arrives as Infinity. */
export function WholeNumber(least: number, most: number): PropertyDecorator {
  return applyDecorators(
    shape({ schema: { type: 'integer', minimum: least, maximum: most } }),
    rule('WRONG_TYPE', 'must be a whole number', (value) => Number.isInteger(value) || isInfinite(value)),
    rule('OUT_OF_RANGE', `must be from ${least} to ${most}`, (value) => {
      return typeof value !== 'number' || (value >= least && value <= most);
    }),
  );
}

function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}

export function OneOf(options: readonly string[]): PropertyDecorator {
  return applyDecorators(
    shape({ schema: { type: 'string', enum: options } }),
    rule('WRONG_TYPE', 'must be a text', isText),
    rule('NOT_ALLOWED', `must be one of ${options.join(', ')}`, (value) => !isText(value) || options.includes(value)),
  );
}

export function Identifier(): PropertyDecorator {
  return applyDecorators(
    shape({ schema: UUID }),
    rule('INVALID_ID', 'must be an id', (value) => isText(value) && isUUID(value)),
  );
}

const PART = 'waybill:part';

/** An object with fields of its own. */
export function Part(type: () => FieldsType<object>): PropertyDecorator {
  const given = ValidateIf((_, value) => value !== null);
  return applyDecorators(Type(type), given, ValidateNested(), Reflect.metadata(PART, type));
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
