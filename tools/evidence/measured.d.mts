export interface Facts {
  /** Groups are joined with dots: `{ get: { p99: 3 } }` is the figure `get.p99`. */
  readonly figures?: object;
  /** Of what the run used beside Node.js and the embedded PostgreSQL, or instead of them. */
  readonly versions?: Readonly<Record<string, string | undefined>>;
  /** Whatever else one has to know to understand the figures. */
  readonly settings?: object;
  readonly seed?: number;
  /** What the evidence names if the run ends with another code than 0. With 0 it has passed: mutants may survive up to a limit. */
  readonly failed?: readonly string[];
}

export function measured(facts: Facts): void;

export function median(values: readonly number[]): number;
