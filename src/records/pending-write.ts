import type { BoundStatement, PlainRow } from '../database/statement.js';
import type { RenderedRecord } from './rendered-record.js';
import type { Refusals } from './resource.js';
import type { WriteCommand } from './write-together.js';

/** The statement that reads what a request wrote in a transaction. */
export type Reread = (transactionID: string, requestID: string) => BoundStatement;

interface Parts {
  readonly recordID: string;
  /** Run in this order. The last one writes the record and returns its row, or only its id after a delete. */
  readonly commands: readonly WriteCommand[];
  /** Renders the row for the client. */
  readonly show: (row: PlainRow) => RenderedRecord | undefined;
  /** Reads the written row, of which a delete leaves only nulls, if the response of PostgreSQL is lost. */
  readonly reread: Reread;
  readonly refusals?: Refusals;
  /** Run after the commit. */
  readonly effects?: readonly (() => void)[];
}

/**
 * A write that a handler has prepared. Nothing is sent to PostgreSQL until the handler returns: `Unit` sends the write together with
 * COMMIT, so a handler that throws writes nothing.
 */
export class PendingWrite {
  constructor(readonly parts: Parts) {}

  get recordID(): string {
    return this.parts.recordID;
  }

  /** Adds errors for violated constraints. */
  refusedWith(refusals: Refusals): PendingWrite {
    return new PendingWrite({ ...this.parts, refusals: { ...this.parts.refusals, ...refusals } });
  }

  /** Renders only a part of the record. */
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

  /** Adds an effect to run after the commit. It does not run if the outcome of COMMIT is unknown. */
  afterCommit(effect: () => void): PendingWrite {
    return new PendingWrite({ ...this.parts, effects: [...(this.parts.effects ?? []), effect] });
  }

  /** Runs statements first, in the same round trip. */
  preceded(by: readonly BoundStatement[]): PendingWrite {
    return new PendingWrite({ ...this.parts, commands: [...by, ...this.parts.commands] });
  }

  /** Runs another write first, in the same round trip, whose result is not rendered. */
  after(first: PendingWrite): PendingWrite {
    return new PendingWrite({
      ...this.parts,
      commands: [...first.parts.commands, ...this.parts.commands],
      refusals: { ...first.parts.refusals, ...this.parts.refusals },
      effects: [...(first.parts.effects ?? []), ...(this.parts.effects ?? [])],
    });
  }
}
