import { readdirSync, readFileSync } from 'node:fs';

/** A code block of a document. */
export interface Block {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

/** Every Markdown document. */
export const DOCUMENTS: Record<string, string> = Object.fromEntries(
  [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'client/README.md', 'bench/README.md'],
    ...['docs', 'docs/decisions', 'docs/evidence'].flatMap(markdownIn),
  ].map((path) => [path, readFileSync(path, 'utf8')]),
);

function markdownIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

export function blocksOf(text: string, document: string): Block[] {
  const blocks = [...text.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm)];
  return blocks.map(([, indent = '', language = '', block = '']) => {
    return { document, language, text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

export const BLOCKS = Object.entries(DOCUMENTS).flatMap(([document, text]) => blocksOf(text, document));
