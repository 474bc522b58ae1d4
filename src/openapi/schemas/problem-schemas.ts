import { descriptionOf, type ProblemCode } from '../../problem/catalogue.js';
import { objectSchema, type Properties } from '../../validation/json-schema.js';
import type { Components, Ref } from '../components.js';
import { problemExample } from '../texts/problem-examples.js';

/** The members of every problem (RFC 9457). */
export const PROBLEM_MEMBERS = {
  type: { type: 'string', format: 'uri-reference', description: 'Link to the explanation of this problem.' },
  title: { type: 'string', description: 'Short summary of the problem.' },
  status: { type: 'integer', description: 'HTTP status of the response.' },
  detail: { type: 'string', description: 'Human-readable explanation of this occurrence.' },
  instance: { type: 'string', description: 'Path of the request.' },
  code: { type: 'string', description: 'Machine-readable problem code.' },
  requestID: { type: 'string', description: 'Same as `X-Request-ID`; include it when you ask for support.' },
} as const satisfies Properties;

/** The payload of one problem, identified by `code`. */
export function problemSchema(components: Components, code: ProblemCode): Ref {
  const { status, title, meaning, members, someMembers } = descriptionOf(code);
  return components.schema(`${pascal(code)}Problem`, () => {
    const always: Properties = {
      ...PROBLEM_MEMBERS,
      title: { ...PROBLEM_MEMBERS.title, const: title },
      status: { ...PROBLEM_MEMBERS.status, const: status },
      code: { ...PROBLEM_MEMBERS.code, const: code },
      ...members,
    };
    return { ...objectSchema(meaning, always, someMembers), examples: [problemExample(code)] };
  });
}

export function pascal(code: string): string {
  return code.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
