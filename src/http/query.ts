import type { Request } from 'express';
import type { Schema } from '../schema/json-schema.js';
import { didYouMean } from '../problem/nearest.js';
import { fieldProblem, MOST_FIELD_ERRORS, Problem, type FieldError } from '../problem/problem.js';

/** How one query parameter is read. `parse` throws a BadValue whose message completes "?name ...". */
export interface Parameter<Value> {
  /** Reads one value; those of a list are read one by one. */
  parse(written: string): Value;
  /** The same as `parse` demands, for the document of the API. */
  readonly schema: Schema;
  /** Takes several values, by comma, by repetition, or both; the document can show one way only, and this is it. */
  readonly list?: 'by comma' | 'by repetition';
}

export class BadValue extends Error {}

export type Parameters = Record<string, Parameter<unknown>>;

export type ReadQuery<P extends Parameters> = {
  [Name in keyof P]?: P[Name] extends { list: string; parse(written: string): infer Value }
    ? Value[]
    : ReturnType<P[Name]['parse']>;
};

const CREDENTIAL =
  /^(access[-_]?token|id[-_]?token|refresh[-_]?token|token|auth|authorization|api[-_]?key|apikey|bearer|jwt|password|secret|client[-_]?secret)$/i;

/** Reads the query of a request: only known parameters, each once unless it takes a list, each with a good value. */
export function readQuery<P extends Parameters>(request: Request, parameters: P): ReadQuery<P> {
  const values: Record<string, unknown> = {};
  const start = request.url.indexOf('?');
  if (start === -1) return values as ReadQuery<P>;
  const errors: FieldError[] = [];
  for (const [name, written] of pairsOf(request.url.slice(start + 1))) {
    const parts = isList(parameters, name) ? written.split(',') : [written];
    for (const part of parts) {
      const fault = readOne(parameters, name, part, values, errors.length < MOST_FIELD_ERRORS);
      if (fault === undefined) continue;
      errors.push({ pointer: `?${name}`, ...fault });
      break;
    }
  }
  if (errors.length > 0) throw fieldProblem('INVALID_PARAMETER', errors);
  return values as ReadQuery<P>;
}

/** The names and values of a query, a plus being a blank, as forms and most clients write it. */
function pairsOf(query: string): [name: string, value: string][] {
  if (query === '') return [];
  return query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals === -1) return [decoded(pair), ''];
    return [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))];
  });
}

/** A broken percent-encoding, or one of bytes that are no UTF-8, is refused rather than replaced by something else. */
function decoded(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    throw new Problem(
      'INVALID_PARAMETER',
      'The query has a percent-encoding that is broken or is not UTF-8. Write each % as %25.',
    );
  }
}

function isList(parameters: Parameters, name: string): boolean {
  return Object.hasOwn(parameters, name) && parameters[name]?.list !== undefined;
}

function readOne(
  parameters: Parameters,
  name: string,
  written: string,
  values: Record<string, unknown>,
  /** Only an error that will be shown is worth a search for the name that was meant. */
  isShown: boolean,
): Omit<FieldError, 'pointer'> | undefined {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    if (CREDENTIAL.test(name)) throw credentialInUrl();
    const known = Object.keys(parameters);
    const taken = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`;
    return {
      code: 'UNKNOWN_PARAMETER',
      message: `is not a parameter of this path${isShown ? didYouMean(name, known) : ''}, which ${taken}`,
    };
  }
  if (parameter.list === undefined && Object.hasOwn(values, name)) {
    return { code: 'REPEATED', message: 'must not be given more than once' };
  }
  try {
    const value = parameter.parse(written);
    if (parameter.list === undefined) {
      values[name] = value;
      return undefined;
    }
    const earlier = (values[name] ??= []) as unknown[];
    if (earlier.includes(value)) return { code: 'REPEATED', message: 'must not have the same value twice' };
    earlier.push(value);
    return undefined;
  } catch (error) {
    if (error instanceof BadValue) return { code: 'INVALID_VALUE', message: error.message };
    throw error;
  }
}

function credentialInUrl(): Problem {
  return new Problem(
    'CREDENTIAL_IN_URL',
    'The query has a credential, and URLs end up in logs and browser histories. Send it in the Authorization header, and replace this one: it must be considered exposed.',
  );
}
