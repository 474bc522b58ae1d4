const gaps = new Map<string, number>();

/**
 * Number of values, by SQLSTATE, that the database rejected although validation should have rejected them first. Clients get a
 * proper response either way, but each count is a bug in the validation rules.
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
