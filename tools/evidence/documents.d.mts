export function withFigures(
  document: string,
  evidenceOf: (name: string) => object | undefined,
): {
  readonly text: string;
  readonly missing: readonly string[];
};

export function quoted(document: string): { readonly names: readonly string[]; readonly undated: readonly string[] };

export function claims(document: string): { readonly line: number; readonly text: string }[];

export function unformatted(text: string): string;
