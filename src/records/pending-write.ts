import type { Statement } from '../database/statement.js';
import type { RenderedRow, RenderedRecord } from './rendered-record.js';
import type { WriteCommand } from './write-together.js';

/** The error that the violation of a constraint stands for, by the constraint's name. */
export type Refusals = Readonly<Record<string, () => Error>>;

interface Parts {
  readonly recordID: string;
  /** In their order. The last one writes the record itself and returns its row, or only its id when it deletes it. */
  readonly commands: readonly WriteCommand[];
  /** What the client is shown of that row. */
  readonly show: (row: RenderedRow) => RenderedRecord | undefined;
  /** Reads from history the row that the change left ($1 record, $2 transaction, $3 request), in case its answer is lost. */
  readonly reread: Statement;
  readonly refusals?: Refusals;
  /** Run once the change is committed. */
  readonly effects?: readonly (() => void)[];
}

/**
 * What a handler decided to write. Nothing is sent to PostgreSQL before the handler has returned it: `Unit` sends it
 * together with COMMIT, so a handler that throws after preparing a change leaves nothing behind.
 */
export class PendingWrite {
  constructor(private readonly parts: Parts) {}

  get recordID(): string {
    return this.parts.recordID;
  }

  get commands(): readonly WriteCommand[] {
    return this.parts.commands;
  }

  get reread(): Statement {
    return this.parts.reread;
  }

  show(row: RenderedRow): RenderedRecord | undefined {
    return this.parts.show(row);
  }

  /** The error to answer with when this change violates a constraint; undefined when no rule of the domain speaks of it. */
  refusalFor(constraint: string): Error | undefined {
    const { refusals = {} } = this.parts;
    return Object.hasOwn(refusals, constraint) ? refusals[constraint]?.() : undefined;
  }

  /** The same change, refused with these errors when it violates one of these constraints. */
  refusedWith(refusals: Refusals): PendingWrite {
    return new PendingWrite({ ...this.parts, refusals: { ...this.parts.refusals, ...refusals } });
  }

  /** The same change, of which the client is shown a part. */
  shownAs(part: (record: RenderedRecord) => RenderedRecord): PendingWrite {
    const { show } = this.parts;
    return new PendingWrite({
      ...this.parts,
      show: (row) => {
        const record = show(row);
        return record && part(record);
      },
    });
  }

  /** The same change, with an effect that must not start before COMMIT. It does not run when the outcome of COMMIT is unknown. */
  afterCommit(effect: () => void): PendingWrite {
    return new PendingWrite({ ...this.parts, effects: [...(this.parts.effects ?? []), effect] });
  }

  /** `Unit` calls this once the change is committed. */
  runAfterCommit(): void {
    for (const effect of this.parts.effects ?? []) effect();
  }

  /** This change, made in the same go after another one that nobody is shown. */
  after(first: PendingWrite): PendingWrite {
    return new PendingWrite({
      ...this.parts,
      commands: [...first.parts.commands, ...this.parts.commands],
      refusals: { ...first.parts.refusals, ...this.parts.refusals },
      effects: [...(first.parts.effects ?? []), ...(this.parts.effects ?? [])],
    });
  }
}
