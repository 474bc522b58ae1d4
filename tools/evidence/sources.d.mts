export interface Sources {
  readonly commit: string;
  /** Whether files that Git tracks, or files in the folders below, differ from the commit. */
  readonly changed: boolean;
  /** By folder: src, migrations, client, console. */
  readonly trees: Readonly<Record<string, string>>;
}

export function sources(cwd?: string): Sources | undefined;
