/** The arguments of Node. */
type Program = readonly string[];

interface Choice {
  readonly program: Program;
  readonly needs?: { readonly tool: string };
}

export const COMMANDS: Readonly<Record<string, { readonly programs: readonly Program[] }>>;
export const GROUPS: Readonly<Record<'campaign' | 'bench' | 'demo', Readonly<Record<string, Choice>>>>;
