/** Mutants that no spec can notice, because the service behaves the same with them. */
export const EQUIVALENT: readonly {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly because: string;
}[] = [];
