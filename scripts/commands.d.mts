/** The arguments of Node. */
export type Program = readonly string[];

export interface Command {
  readonly does: string;
  readonly programs: readonly Program[];
}

export const COMMANDS: Readonly<Record<string, Command>>;

export const LIGHT: readonly string[];

export interface Choice {
  readonly does: string;
  readonly program: Program;
  readonly env?: Readonly<Record<string, string>>;
  readonly isDefault?: boolean;
  readonly needs?: { readonly tool: string; readonly from: string; readonly option?: string };
}

export const GROUPS: Readonly<Record<'campaign' | 'bench' | 'demo', Readonly<Record<string, Choice>>>>;
