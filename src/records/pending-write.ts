import type { BoundStatement, PlainRow } from '../database/statement.js';
import type { RenderedRecord } from './rendered-record.js';
import type { Rejections } from './resource.js';
import type { WriteCommand } from './write-together.js';

/** The statement that reads what a request wrote in a transaction. */
export type Reread = (transactionID: string, requestID: string) => BoundStatement;

interface Parts<Shown extends object> {
  readonly recordID: string;
  /** Run in this order. The last one writes the record and returns its row, or only its id after a delete. */
  readonly commands: readonly WriteCommand[];
  readonly show: (row: PlainRow) => Shown | undefined;
  /** Reads the written row, of which a delete leaves only nulls, if the response of PostgreSQL is lost. */
  readonly reread: Reread;
  readonly rejections?: Rejections;
  /** The error if the database rejects a value that did not come from the request. */
  readonly invalidValue?: (() => Error) | undefined;
  /** Run after the commit. */
  readonly effects?: readonly (() => void)[];
}

/**
 * A write that a handler has prepared. Nothing is sent to PostgreSQL until the handler returns: `Unit` sends the write together with
 * COMMIT, so a handler that throws writes nothing. The client gets what it shows: a record with its version, or another response.
 */
export class PendingWrite<Shown extends object = RenderedRecord> {
  constructor(readonly parts: Parts<Shown>) {}

  get recordID(): string {
    return this.parts.recordID;
  }

  /** Adds errors for violated constraints, and one for values that the database rejects although the request did not send them. */
  rejectedWith(rejections: Rejections, invalidValue = this.parts.invalidValue): PendingWrite<Shown> {
    return new PendingWrite({ ...this.parts, rejections: { ...this.parts.rejections, ...rejections }, invalidValue });
  }

  shownAs(part: (shown: Shown) => Shown): PendingWrite<Shown> {
    const { show } = this.parts;
    return new PendingWrite({
      ...this.parts,
      show: (row) => {
        const shown = show(row);
        return shown && part(shown);
      },
    });
  }

  /** Adds an effect to run after the commit. It does not run if the outcome of COMMIT is unknown. */
  afterCommit(effect: () => void): PendingWrite<Shown> {
    return new PendingWrite({ ...this.parts, effects: [...(this.parts.effects ?? []), effect] });
  }

  /** Runs statements first, in the same round trip. */
  preceded(by: readonly BoundStatement[]): PendingWrite<Shown> {
    return new PendingWrite({ ...this.parts, commands: [...by, ...this.parts.commands] });
  }

  /** Runs another write first, in the same round trip, whose result is not rendered. */
  after(first: PendingWrite<object>): PendingWrite<Shown> {
    return new PendingWrite({
      ...this.parts,
      commands: [...first.parts.commands, ...this.parts.commands],
      rejections: { ...first.parts.rejections, ...this.parts.rejections },
      effects: [...(first.parts.effects ?? []), ...(this.parts.effects ?? [])],
    });
  }
}
