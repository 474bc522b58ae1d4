export interface Facts {
  /** Groups are joined with dots: `{ get: { p99: 3 } }` is the figure `get.p99`. */
  readonly figures?: object;
  /** Of what the run used beside Node.js and the embedded PostgreSQL, or instead of them. */
  readonly versions?: Readonly<Record<string, string | undefined>>;
  /** Whatever else one has to know to understand the figures. */
  readonly settings?: object;
  readonly seed?: number;
  /** A run with one of these has not passed, whatever its exit code. */
  readonly failed?: readonly string[];
}

export function measured(facts: Facts): void;

export function median(values: readonly number[]): number;
