import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Written beside a file, so that the file can be verified years later. */
export interface Manifest {
  readonly month: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Hash of the lines, not of the compressed file. */
  readonly sha256: string;
  /** The content of the file with the deletions of the month, if there are any. */
  readonly deletions?: Content | undefined;
}

export type Content = Pick<Manifest, 'rows' | 'sha256'>;

const ENDING = '.tsv.gz';
const LINE_FEED = 10;

/** One month of history in a compressed file, in PostgreSQL's COPY text format, in which each row is exactly one line. */
export class MonthFile {
  constructor(readonly path: string) {
    if (!path.endsWith(ENDING)) throw new Error(`The name of a history file must end in ${ENDING}`);
  }

  static in(folder: string, table: string): MonthFile {
    return new MonthFile(join(folder, `${table}${ENDING}`));
  }

  /** A file of the same month with another content. */
  beside(content: string): MonthFile {
    return new MonthFile(`${this.path.slice(0, -ENDING.length)}_${content}${ENDING}`);
  }

  get manifestPath(): string {
    return `${this.path.slice(0, -ENDING.length)}.json`;
  }

  /** Temporary name until `keep`, so that an incomplete file never looks complete. */
  private get draft(): string {
    return `${this.path}.part`;
  }

  /** Writes the rows, and returns after they are on disk and were read back unaltered. */
  async write(rows: Readable): Promise<Content> {
    const seen = new ContentMeter();
    await pipeline(rows, seen, createGzip(), createWriteStream(this.draft, { mode: 0o600 }));
    await flush(this.draft);
    const stored = await contentOf(this.draft);
    if (!isSame(stored, seen.content)) throw new Error(`${this.draft} does not contain what was written to it`);
    return stored;
  }

  /** Gives the file its final name. Never replaces a file with different content, which may be the only copy of its rows. */
  async keep(manifest: Manifest): Promise<void> {
    const earlier = await contentOf(this.path).catch(ifMissing);
    if (earlier !== undefined && !isSame(earlier, manifest)) {
      throw new Error(`${this.path} already exists with other rows. Move it away first; it may be their only copy.`);
    }
    await writeFile(this.manifestPath, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await flush(this.manifestPath);
    await rename(this.draft, this.path);
    await flush(dirname(this.path));
  }

  async discardDraft(): Promise<void> {
    await rm(this.draft, { force: true });
  }

  /** The manifest, after checking that the file matches it. */
  async verified(): Promise<Manifest> {
    const manifest = JSON.parse(await readFile(this.manifestPath, 'utf8')) as Manifest;
    if (isSame(await contentOf(this.path), manifest)) return manifest;
    throw new Error(`${this.path} is damaged: its rows do not match ${basename(this.manifestPath)}`);
  }

  read(): Readable {
    return createReadStream(this.path).pipe(createGunzip());
  }
}

/** Counts and hashes lines. */
class ContentMeter extends Transform {
  private readonly hash = createHash('sha256');
  private rows = 0;

  get content(): Content {
    return { rows: this.rows, sha256: this.hash.copy().digest('hex') };
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) this.rows += 1;
    done(null, chunk);
  }
}

async function contentOf(path: string): Promise<Content> {
  const meter = new ContentMeter();
  await pipeline(createReadStream(path), createGunzip(), meter, async (chunks) => {
    for await (const _ of chunks);
  });
  return meter.content;
}

function isSame(one: Content, other: Content): boolean {
  return one.rows === other.rows && one.sha256 === other.sha256;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
