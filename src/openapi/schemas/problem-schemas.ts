import { descriptionOf, type ProblemCode } from '../../problem/catalogue.js';
import type { Schema } from '../../validation/json-schema.js';
import type { Components, Ref } from '../components.js';
import { problemExample } from '../texts/problem-examples.js';

/** The payload of one problem; `code` tells it from the others. */
export function problemSchema(components: Components, code: ProblemCode): Ref {
  const { status, title, meaning, members = {} } = descriptionOf(code);
  return components.schema(`${pascal(code)}Problem`, () => {
    const extra = Object.entries(members);
    const properties: Record<string, Schema> = {
      type: { type: 'string', format: 'uri-reference', description: 'Leads to the explanation of this problem.' },
      title: { type: 'string', const: title, description: 'The problem in a few words.' },
      status: { type: 'integer', const: status, description: 'The status of the answer.' },
      detail: { type: 'string', description: 'What happened this time, for people.' },
      instance: { type: 'string', description: 'The path of the request, as it came.' },
      code: { type: 'string', const: code, description: 'The problem, for programs.' },
      requestID: { type: 'string', description: 'What `X-Request-ID` says; quote it when you ask for help.' },
    };
    return {
      type: 'object',
      description: meaning,
      required: [...Object.keys(properties), ...extra.filter(([, member]) => !member.optional).map(([name]) => name)],
      properties: { ...properties, ...Object.fromEntries(extra.map(([name, { schema }]) => [name, schema])) },
      examples: [problemExample(code)],
    };
  });
}

/** NOT_FOUND is NotFound. */
export function pascal(code: string): string {
  return code.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
