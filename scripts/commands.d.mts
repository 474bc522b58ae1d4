/** The arguments of Node. */
export type Program = readonly string[];

export const COMMANDS: Readonly<Record<string, readonly Program[]>>;

export const LIGHT: readonly string[];

export interface Choice {
  readonly does: string;
  readonly program: Program;
  readonly env?: Readonly<Record<string, string>>;
  readonly isDefault?: boolean;
  readonly needs?: { readonly tool: string; readonly from: string; readonly option?: string };
}

export const GROUPS: Readonly<Record<'campaign' | 'bench' | 'demo', Readonly<Record<string, Choice>>>>;
