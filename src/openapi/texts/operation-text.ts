import type { ProblemCode } from '../../problem/catalogue.js';
import type { Tag } from './tags.js';

/** What the answer to a successful request holds; the names are those of schemas. */
export type Answers =
  | { readonly record: string }
  | { readonly list: string }
  | { readonly other: string; readonly html?: true }
  | { readonly nothing: true };

/** What a route cannot say of itself. */
export interface OperationText {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly answers: Answers;
  /** Problems that follow from what the operation does, not from the form of its requests. */
  readonly problems?: readonly ProblemCode[];
  /** Bodies to try, when the one of the schema does not tell all. */
  readonly bodies?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}
