/** A sentence with elements in it, as a template: its parts in order. */
export function rich<N>(texts: TemplateStringsArray, ...nodes: readonly (N | string)[]): readonly (N | string)[] {
  return texts.flatMap((text, index) => (index < nodes.length ? [text, nodes[index] ?? ''] : [text]));
}
