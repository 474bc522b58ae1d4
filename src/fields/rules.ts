import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateNested, type ValidationArguments } from 'class-validator';
import { FORBIDDEN_CHARACTERS, hasForbiddenCharacter, isBlank, isLongerThan, textPattern } from '../http/characters.js';
import { CALENDAR_DATE, isCalendarDate } from '../http/parameters.js';
import { isNameOf, namesDemand, nameSchema, type Resource } from '../records/resource.js';
import { JsonSchema } from '../schema/json-schema.decorator.js';

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
  return check(code, message, holds);
}

function check<F extends object>(
  code: string,
  message: string,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, at?: ValidationArguments) => holds(at?.object as F, value);
  return ValidateBy({ name: code, validator: { validate, defaultMessage: () => message } });
}

const isText = (value: unknown): value is string => typeof value === 'string';

const REQUIRED = 'waybill:required';

/** The field must be there and not null. */
export function Required(): PropertyDecorator {
  return applyDecorators(
    Reflect.metadata(REQUIRED, true),
    check('REQUIRED', 'is required', (_, value) => value !== null && value !== undefined),
  );
}

export function isRequired(type: FieldsType<object>, field: string): boolean {
  return Reflect.hasMetadata(REQUIRED, type.prototype as object, field);
}

/** Text of limited length, counted in code points. `lines` makes it prose (see characters.ts), `blank` lets it say nothing. */
export function Text(longest: number, { lines = false, blank = false } = {}): PropertyDecorator {
  const kind = lines ? 'long' : 'short';
  return applyDecorators(
    JsonSchema({
      type: 'string',
      ...(!blank && { minLength: 1 }),
      maxLength: longest,
      pattern: textPattern(kind, !blank),
    }),
    rule('WRONG_TYPE', 'must be a string', isText),
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
    JsonSchema(CALENDAR_DATE),
    rule('WRONG_TYPE', 'must be a string', isText),
    rule(
      'INVALID_DATE',
      'must be a calendar date of the form YYYY-MM-DD, from 1900 to 2199',
      (value) => !isText(value) || isCalendarDate(value),
    ),
  );
}

/** 1.0 and 1e2 are whole numbers in JSON. A number too large for a double, such as 1e400, arrives as Infinity. */
export function WholeNumber(least: number, most: number): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'integer', minimum: least, maximum: most }),
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
    JsonSchema({ type: 'string', enum: options }),
    rule('WRONG_TYPE', 'must be a string', isText),
    rule('NOT_ALLOWED', `must be one of ${options.join(', ')}`, (value) => !isText(value) || options.includes(value)),
  );
}

/** Another record by its id, or by its second name where it has one, as in a path. */
export function NameOf(resource: Resource): PropertyDecorator {
  return applyDecorators(
    JsonSchema(nameSchema(resource)),
    rule('INVALID_ID', namesDemand(resource), (value) => isText(value) && isNameOf(resource, value)),
  );
}

const PART = 'waybill:part';

/** An object with fields of its own. */
export function Part(type: () => FieldsType<object>): PropertyDecorator {
  return applyDecorators(Type(type), ValidateNested(), Reflect.metadata(PART, type));
}

/** The class of the objects that a field takes, if it takes objects. */
export function partAt(type: FieldsType<object>, field: string): FieldsType<object> | undefined {
  const part = Reflect.getMetadata(PART, type.prototype as object, field) as (() => FieldsType<object>) | undefined;
  return part?.();
}

/** What a body with all or some of the fields of a record is sent for. */
export type BodyUse = 'New' | 'Replacement' | 'Patch';

/** A class whose decorated properties are what a client may write. */
export interface FieldsType<Fields extends object> {
  new (): Fields;
  /** What a body with these fields describes, with its article: "a shipment". */
  readonly record: string;
  /** What the server sets: a client may echo it, never change it. */
  readonly readOnly: readonly string[];
  /** The operations that change read-only fields, such as `PATCH /{prefix}/v1/shipments/{shipmentID}/updateStatus`. */
  readonly changedBy?: Readonly<Record<string, string>>;
  /** Bodies that can be sent as they are, for the document of the API. */
  readonly examples?: Readonly<Record<BodyUse, object>>;
}
