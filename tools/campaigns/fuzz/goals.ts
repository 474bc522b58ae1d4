import type { Schema } from '../../../src/validation/json-schema.js';
import type { Json } from '../../../test/support/http/api.js';
import type { Answer } from './wire.js';
import type { Description, Operation } from './description.js';
import { isEcho } from './generate/valid.js';

export type GoalKind = 'operation' | 'query parameter' | 'header' | 'field' | 'media type' | 'answer';

/** Something that the document has and that a campaign must use, or see, at least once. */
export interface Goal {
  /** A name for reports and counting: `listMoves ?limit accepted`, `updateMove 412 PRECONDITION_FAILED`. */
  readonly key: string;
  readonly kind: GoalKind;
  readonly operation: Operation;
  /** The parameter, header, field, media type, or status and code. */
  readonly name: string;
  /** Whether it has to be part of a request that succeeds, or has to be named as the fault of one that is refused. */
  readonly outcome: 'accepted' | 'at fault' | 'seen';
}

/** All goals of a document. */
export function goalsOf(description: Description): Goal[] {
  return description.operations.flatMap((operation) => {
    const goal = (kind: GoalKind, name: string, outcome: Goal['outcome']): Goal => {
      return { key: keyOf(operation, name, outcome), kind, operation, name, outcome };
    };
    const both = (kind: GoalKind, name: string) => [goal(kind, name, 'accepted'), goal(kind, name, 'at fault')];
    const { parameters, mediaTypes, answers } = operation;
    return [
      goal('operation', '', 'seen'),
      ...namesOf(parameters, 'query').flatMap((name) => both('query parameter', `?${name}`)),
      ...namesOf(parameters, 'header').map((name) => goal('header', name, 'accepted')),
      ...fieldsOf(description, operation.body).flatMap(({ pointer }) => both('field', pointer)),
      ...mediaTypes.map((type) => goal('media type', type, 'accepted')),
      ...answers
        .flatMap(({ status, mediaTypes: types, codes }) => answerNames(status, [...types, ...codes]))
        .map((name) => goal('answer', name, 'seen')),
    ];
  });
}

/** The keys of the goals that one exchange reaches. Keys of what the document does not have may be among them. */
export function reached(description: Description, answer: Answer): string[] {
  const { sent, status, headers, body } = answer;
  const operation = description.operationOf(sent.method, sent.path);
  if (operation === undefined) return [];
  const type = headers.get('Content-Type')?.split(';', 1)[0];
  const detail = status >= 400 ? [body?.code as string] : type === undefined ? [] : [type];
  const keys = answerNames(status, detail).map((name) => keyOf(operation, name, 'seen'));
  keys.push(keyOf(operation, '', 'seen'));
  if (status < 400) {
    keys.push(...usedIn(description, operation, answer).map((name) => keyOf(operation, name, 'accepted')));
  } else {
    const errors: Json[] = body?.errors ?? [];
    keys.push(...errors.map(({ pointer }) => keyOf(operation, pointer, 'at fault')));
  }
  return keys;
}

/** The parameters, headers, fields and the media type that a request has. A field that is cleared does not count as used. */
function usedIn(description: Description, operation: Operation, { sent }: Answer): string[] {
  const query = new URLSearchParams(sent.path.split('?')[1] ?? '');
  const headers = new Headers(sent.headers);
  const parsed: Json = typeof sent.body === 'string' ? JSON.parse(sent.body) : undefined;
  const fields = fieldsOf(description, operation.body).filter(({ pointer, mayBeNull }) => {
    const value = pointer
      .split('/')
      .slice(1)
      .reduce((at: Json, name) => at?.[name], parsed);
    return value !== undefined && (mayBeNull || value !== null);
  });
  return [
    ...[...query.keys()].map((name) => `?${name}`),
    ...namesOf(operation.parameters, 'header').filter((name) => headers.has(name)),
    ...fields.map(({ pointer }) => pointer),
    ...(headers.get('Content-Type') === null ? [] : [String(headers.get('Content-Type'))]),
  ];
}

interface Field {
  readonly pointer: string;
  /** Fields set by the server are sent back unchanged, null or not. */
  readonly mayBeNull: boolean;
}

/** All fields of a body, those of the objects in it among them. */
function fieldsOf(description: Description, schema: Schema | undefined): Field[] {
  if (schema === undefined) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const parts = (property.anyOf ?? [property]).map((part) => description.resolve(part) as Schema);
    const nested = parts.flatMap((part) => fieldsOf(description, part));
    return [
      { pointer: `/${name}`, mayBeNull: isEcho(property) },
      ...nested.map((field) => ({ ...field, pointer: `/${name}${field.pointer}` })),
    ];
  });
}

function answerNames(status: number, details: readonly string[]): string[] {
  return details.length === 0 ? [String(status)] : details.map((detail) => `${status} ${detail}`);
}

function namesOf(parameters: Operation['parameters'], place: string): string[] {
  return parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function keyOf({ id }: Operation, name: string, outcome: Goal['outcome']): string {
  return [id, name, ...(outcome === 'seen' ? [] : [outcome])].filter(Boolean).join(' ');
}
