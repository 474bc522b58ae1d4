/** An SQL statement. PostgreSQL plans a named statement once per connection; the name must be unique for its text. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Its rows are arrays of the texts of its columns. */
  readonly plain?: true;
}

/** The texts of a row's columns. */
export type PlainRow = readonly (string | null)[];

export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

export interface StatementOptions {
  /** Off for a connection pooler that does not support prepared statements. */
  readonly prepared: boolean;
  /** Off behind a pooler: another connection to PostgreSQL may describe the rows of a statement differently. */
  readonly keepsDescriptions: boolean;
  /** Settings for each transaction, if the session cannot keep them. */
  readonly settings: Readonly<Record<string, number>>;
}

const BY_NAME = new Map<string, Statement>();

/** A template of a statement with a name of its own, which `docs/sql` lists. What is inserted becomes part of the text. */
export function namedStatement(name: string, how: { readonly plain?: true } = {}) {
  return (texts: TemplateStringsArray, ...inserted: readonly (string | number)[]): Statement => {
    const made = { name, text: String.raw({ raw: texts }, ...inserted), ...how };
    BY_NAME.set(name, made);
    return made;
  };
}

/** The statements of the modules that are loaded. */
export function namedStatements(): readonly Statement[] {
  return [...BY_NAME.values()];
}
