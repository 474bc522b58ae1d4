/** Whether clients send or receive a value: a change that is safe on one side may break the other. */
export type Side = 'request' | 'response';

/** A node of a document; references are resolved. */
export interface Node {
  readonly exists: boolean;
  readonly value: unknown;
  /** The location of the value, after resolving references. */
  readonly place: string;
  at(...names: (string | number)[]): Node;
}

export function namesIn({ value }: Node): string[] {
  return Object.keys(value ?? {});
}

export function read(document: object): Node {
  return nodeAt(document, document, '#');
}

function nodeAt(document: object, written: unknown, path: string): Node {
  const { value, place } = follow(document, written, path);
  return {
    exists: value !== undefined,
    value,
    place,
    at: (...names) => {
      const [name, ...rest] = names;
      if (name === undefined) return nodeAt(document, value, place);
      const inside = (value as Record<string, unknown> | undefined)?.[name];
      return nodeAt(document, inside, `${place}/${name}`).at(...rest);
    },
  };
}

function follow(document: object, written: unknown, path: string): { value: unknown; place: string } {
  const ref = (written as { $ref?: unknown } | null | undefined)?.$ref;
  if (typeof ref !== 'string') return { value: written, place: path };
  const steps = ref.slice(2).split('/');
  const value = steps.reduce<unknown>(
    (found, step) => (found as Record<string, unknown> | undefined)?.[step],
    document,
  );
  return follow(document, value, ref);
}
