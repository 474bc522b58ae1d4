import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateNested, type ValidationArguments } from 'class-validator';
import { FORBIDDEN_CHARACTERS, hasForbiddenCharacter, isBlank, isLongerThan, textPattern } from './characters.js';
import { DAY, isCalendarDate, isTimestamp, MOMENT } from './dates.js';
import { JsonSchema } from './json-schema.decorator.js';
import { ETAG, isETag } from './json-schema.js';

/**
 * Validation rules as decorators, shared by body fields, query parameters and environment variables. A rule combines a check of
 * class-validator with the matching JSON Schema keywords. Where values arrive as text, class-transformer's `@Transform` converts them
 * first (see `readTexts`). class-validator's own decorators have neither codes nor keywords, so `fieldsOf` rejects them.
 */

type Message = string | ((value: unknown) => string);

/** One rule; clients see its code when it is broken. Null and undefined break only `Required`. */
export function rule(code: string, message: Message, holds: (value: unknown) => boolean): PropertyDecorator {
  return RuleOfRecord(code, message, (_, value) => value === null || value === undefined || holds(value));
}

/** A rule for strings; `WRONG_TYPE` covers other values. */
export function textRule(code: string, message: Message, holds: (text: string) => boolean): PropertyDecorator {
  return rule(code, message, (value) => !isText(value) || holds(value));
}

/** A rule that depends on other fields. Put it on each field that can break it. */
export function RuleOfRecord<F extends object>(
  code: string,
  message: Message,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, at?: ValidationArguments) => holds(at?.object as F, value);
  const defaultMessage = (at?: ValidationArguments) => (isText(message) ? message : message(at?.value));
  return ValidateBy({ name: code, validator: { validate, defaultMessage } }, { context: OWN });
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const OWN = Symbol('waybill rule');

export const REQUIRED = 'waybill:required';

/** The field must be present and not null. */
export function Required(): PropertyDecorator {
  return applyDecorators(
    Reflect.metadata(REQUIRED, true),
    RuleOfRecord('REQUIRED', 'is required', (_, value) => value !== null && value !== undefined),
  );
}

/** Text of limited length, in code points. `lines` allows prose (see characters.ts), `blank` allows blank text. */
export function Text(maxLength: number, { lines = false, blank = false } = {}): PropertyDecorator {
  const kind = lines ? 'long' : 'short';
  return applyDecorators(
    JsonSchema({
      type: 'string',
      ...(!blank && { minLength: 1 }),
      maxLength,
      pattern: textPattern(kind, !blank),
    }),
    rule('WRONG_TYPE', 'must be a string', isText),
    textRule('BLANK', 'must not be empty or blank', (text) => blank || !isBlank(text)),
    textRule('TOO_LONG', `must not have more than ${maxLength} characters`, (text) => !isLongerThan(text, maxLength)),
    textRule('FORBIDDEN_CHARACTER', FORBIDDEN_CHARACTERS[kind], (text) => !hasForbiddenCharacter(text, kind)),
  );
}

/** A text that may be blank but not empty. */
export function NotEmpty(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ minLength: 1 }),
    textRule('BLANK', 'must not be empty', (text) => text !== ''),
  );
}

export function CalendarDate(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'string', format: 'date', pattern: DAY.source }),
    rule('WRONG_TYPE', 'must be a string', isText),
    textRule('INVALID_DATE', 'must be a calendar date of the form YYYY-MM-DD, from 1900 to 2199', isCalendarDate),
  );
}

export function Timestamp(): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'string', format: 'date-time', pattern: MOMENT.source }),
    rule('WRONG_TYPE', 'must be a string', isText),
    textRule(
      'INVALID_TIMESTAMP',
      'must be an RFC 3339 timestamp such as 2026-01-31T12:00:00Z (write a + as %2B) with an offset of at most 15:59',
      isTimestamp,
    ),
  );
}

/** 1.0 and 1e2 are integers in JSON. A number too large for a double, such as 1e400, is parsed as Infinity. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return applyDecorators(
    JsonSchema({ type: 'integer', minimum: min, maximum: max }),
    Transform(({ value }: { value: unknown }) => numberIn(value)),
    rule('WRONG_TYPE', message, (value) => Number.isInteger(value) || value === Infinity || value === -Infinity),
    rule('OUT_OF_RANGE', message, (value) => typeof value !== 'number' || (value >= min && value <= max)),
  );
}

/** Parses a decimal integer; returns any other value unchanged, so that it breaks the rule. */
export function numberIn<T>(value: T): T | number {
  return isText(value) && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}

export function OneOf(options: readonly string[]): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'string', enum: options }),
    rule('WRONG_TYPE', 'must be a string', isText),
    textRule('NOT_ALLOWED', `must be one of ${options.join(', ')}`, (text) => options.includes(text)),
  );
}

interface SetOptions {
  /** Plural name of the values, for messages. */
  readonly of: string;
  readonly max?: number;
  /** What else may be sent. */
  readonly or?: string;
}

/** A JSON array of different texts; unlike @ListOf, which splits text. */
export function SetOf(options: readonly string[], { of, max = options.length, or }: SetOptions): PropertyDecorator {
  const items = { type: 'string', enum: options } as const;
  return applyDecorators(
    JsonSchema({ type: 'array', items, minItems: 1, maxItems: max, uniqueItems: true }),
    rule('WRONG_TYPE', `must be an array of ${of}${or === undefined ? '' : `, or ${or}`}`, Array.isArray),
    rule(
      'OUT_OF_RANGE',
      `must have 1 to ${max} ${of}${or === undefined ? '' : `; send ${or}`}`,
      (value) => (value as unknown[]).length >= 1 && (value as unknown[]).length <= max,
    ),
    rule('NOT_ALLOWED', `must have only these ${of}: ${options.join(', ')}`, (value) => {
      return (value as unknown[]).every((each) => isText(each) && options.includes(each));
    }),
    rule('DUPLICATE', `must not have one of the ${of} twice`, (value) => {
      return new Set(value as unknown[]).size === (value as unknown[]).length;
    }),
  );
}

/** An eTag as in a record's `eTag` field. */
export function ETagText(): PropertyDecorator {
  const message = 'must be an eTag: 64 hexadecimal digits, as the record shows it, without quotes';
  return applyDecorators(
    JsonSchema(ETAG),
    rule('INVALID_ETAG', message, (value) => isText(value) && isETag(value)),
  );
}

export const LIST = 'waybill:list';

/** A comma-separated list, with spaces if allowed. The other rules of the field apply to each value. */
export function ListOf({ blanks = false } = {}): PropertyDecorator {
  const separator = blanks ? /\s*,\s*/ : ',';
  return applyDecorators(
    Reflect.metadata(LIST, true),
    Transform(({ value }: { value: string | string[] }) => {
      return [value].flat().flatMap((text) => (blanks ? text.trim() : text).split(separator));
    }),
  );
}

export const PART = 'waybill:part';

export function Part(type: () => FieldsType<object>): PropertyDecorator {
  return applyDecorators(ValidateNested({ context: OWN }), Reflect.metadata(PART, type));
}

/** The kind of request that a body is for. */
export type BodyUse = 'New' | 'Replacement' | 'Patch';

/** A class whose decorated properties are the fields that clients may write. */
export interface FieldsType<Fields extends object> {
  new (): Fields;
  /** The record with its article, as in "a shipment". */
  readonly record: string;
  /** Fields that the server sets: clients may send them back unchanged. */
  readonly readOnly: readonly string[];
  /** Read-only fields that change without a new version, so that any value is accepted and ignored. */
  readonly live?: readonly string[];
  /** Read-only fields that may be sent back in any case. */
  readonly codes?: readonly string[];
  /** The operations that change read-only fields, such as `PATCH /{prefix}/v1/shipments/{shipmentID}/updateStatus`. */
  readonly changedBy?: Readonly<Record<string, string>>;
  /** Example bodies for the API document. */
  readonly examples?: Readonly<Record<BodyUse, object>>;
}
