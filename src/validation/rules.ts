import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateNested, type ValidationArguments } from 'class-validator';
import { FORBIDDEN_CHARACTERS, hasForbiddenCharacter, isBlank, isLongerThan, textPattern } from './characters.js';
import { DAY, isCalendarDate, isTimestamp, MOMENT } from './dates.js';
import { JsonSchema } from './json-schema.decorator.js';
import { ETAG, isETag } from './json-schema.js';

/**
 * The rules for values, as decorators: the same for the fields of a body, the parameters of a query and the variables of the
 * environment. A rule is a check of class-validator and the keywords of JSON Schema that say the same. Where values are
 * written as texts, `@Transform` of class-transformer turns them into what the checks expect (see read-texts.ts).
 */

type Message = string | ((value: unknown) => string);

/** One rule; its code is what clients see when it is broken. Null and undefined break no rule but `Required`. */
export function rule(code: string, message: Message, holds: (value: unknown) => boolean): PropertyDecorator {
  return check<object>(code, message, (_, value) => value === null || value === undefined || holds(value));
}

/** A rule for texts; a value that is no text breaks another one. */
export function textRule(code: string, message: Message, holds: (text: string) => boolean): PropertyDecorator {
  return rule(code, message, (value) => !isText(value) || holds(value));
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
  message: Message,
  holds: (fields: F, value: unknown) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, at?: ValidationArguments) => holds(at?.object as F, value);
  const defaultMessage = (at?: ValidationArguments) => (isText(message) ? message : message(at?.value));
  return ValidateBy({ name: code, validator: { validate, defaultMessage } });
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

export function isRequired(prototype: object, field: string): boolean {
  return Reflect.hasMetadata(REQUIRED, prototype, field);
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
    textRule('BLANK', 'must not be empty or blank', (text) => blank || !isBlank(text)),
    textRule('TOO_LONG', `must not have more than ${longest} characters`, (text) => !isLongerThan(text, longest)),
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
      'must be an RFC 3339 timestamp such as 2026-01-31T12:00:00Z (write a + as %2B), its offset at most 15:59',
      isTimestamp,
    ),
  );
}

/** 1.0 and 1e2 are whole numbers in JSON. A number too large for a double, such as 1e400, arrives as Infinity. */
export function WholeNumber(least: number, most: number): PropertyDecorator {
  const message = `must be a whole number from ${least} to ${most}`;
  return applyDecorators(
    JsonSchema({ type: 'integer', minimum: least, maximum: most }),
    Transform(({ value }: { value: unknown }) => numberIn(value)),
    rule('WRONG_TYPE', message, (value) => Number.isInteger(value) || isInfinite(value)),
    rule('OUT_OF_RANGE', message, (value) => typeof value !== 'number' || (value >= least && value <= most)),
  );
}

/** The number that a text stands for, written in the one usual way; anything else stays as it is and breaks the rule. */
export function numberIn<T>(value: T): T | number {
  return isText(value) && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}

function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}

export function OneOf(options: readonly string[]): PropertyDecorator {
  return applyDecorators(
    JsonSchema({ type: 'string', enum: options }),
    rule('WRONG_TYPE', 'must be a string', isText),
    textRule('NOT_ALLOWED', `must be one of ${options.join(', ')}`, (text) => options.includes(text)),
  );
}

/** An eTag as records show it. */
export function ETagText(): PropertyDecorator {
  const message = 'must be an eTag: 64 hexadecimal digits, as the record shows it, without quotes';
  return applyDecorators(
    JsonSchema(ETAG),
    rule('INVALID_ETAG', message, (value) => isText(value) && isETag(value)),
  );
}

const LIST = 'waybill:list';

/** How the document shows a list in a query; both ways are read. */
export type ListStyle = 'by comma' | 'by repetition';

/** Several values, separated by commas, and by blanks where these are allowed. The other rules of the field are those of each value. */
export function ListOf(style: ListStyle, { blanks = false } = {}): PropertyDecorator {
  const separator = blanks ? /\s*,\s*/ : ',';
  return applyDecorators(
    Reflect.metadata(LIST, style),
    Transform(({ value }: { value: string | string[] }) => {
      return [value].flat().flatMap((text) => (blanks ? text.trim() : text).split(separator));
    }),
  );
}

export function listStyleOf(prototype: object, field: string): ListStyle | undefined {
  return Reflect.getMetadata(LIST, prototype, field) as ListStyle | undefined;
}

const PART = 'waybill:part';

/** An object with fields of its own. */
export function Part(type: () => FieldsType<object>): PropertyDecorator {
  return applyDecorators(ValidateNested(), Reflect.metadata(PART, type));
}

/** The class of the objects that a field takes, if it takes objects. */
export function partAt(prototype: object, field: string): FieldsType<object> | undefined {
  const part = Reflect.getMetadata(PART, prototype, field) as (() => FieldsType<object>) | undefined;
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
