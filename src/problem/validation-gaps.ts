const gaps = new Map<string, number>();

/**
 * How often the database refused, by SQLSTATE, what validation should have refused before it. The client gets a proper answer
 * all the same, but each of them is a gap in the rules of a field: zero is the only good number.
 */
export function validationGaps(): ReadonlyMap<string, number> {
  return gaps;
}

export function countValidationGap(sqlState: string): void {
  gaps.set(sqlState, (gaps.get(sqlState) ?? 0) + 1);
}

export function forgetValidationGaps(): void {
  gaps.clear();
}
