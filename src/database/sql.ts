class Parameter {
  constructor(readonly value: unknown) {}
}

/** SQL with its values. A fragment brings its values along, so nobody lists them in the order of the text. */
export class Sql {
  constructor(readonly parts: readonly (string | Parameter)[]) {}

  /** The text, in which each value has a number. */
  get text(): string {
    let number = 0;
    return this.parts.map((part) => (typeof part === 'string' ? part : `$${++number}`)).join('');
  }

  get values(): unknown[] {
    return this.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.value]));
  }
}

/** SQL from a template. Other SQL that is inserted becomes part of the text, and anything else becomes a value. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly unknown[]): Sql {
  return new Sql(texts.flatMap((text, index) => [...partsOf(inserted, index - 1), text]));
}

function partsOf(inserted: readonly unknown[], index: number): readonly (string | Parameter)[] {
  if (index < 0) return [];
  const value = inserted[index];
  return value instanceof Sql ? value.parts : [new Parameter(value)];
}

/** Text without values: a name, or a number that the planner has to know. */
export function raw(text: string | number): Sql {
  return new Sql([String(text)]);
}

export function joined(parts: readonly Sql[], separator: string): Sql {
  return new Sql(parts.flatMap((part, index) => (index === 0 ? part.parts : [separator, ...part.parts])));
}

export function every(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? raw('true') : joined(conditions, ' AND ');
}
