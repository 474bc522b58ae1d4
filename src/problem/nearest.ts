/** Longer names are not compared, which bounds the work. */
const MAX_COMPARED_LENGTH = 64;

/** The known name closest to `name`; undefined if none is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    // Short names allow one mistake only, because most pairs of short names are two mistakes apart.
    const max = candidate.length >= 6 ? 2 : 1;
    if (Math.abs(candidate.length - name.length) > max) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance > max || distance >= fewest) continue;
    [best, fewest] = [candidate, distance];
  }
  return best;
}

/** A suffix such as " (did you mean limit?)"; empty if no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Damerau-Levenshtein distance (optimal string alignment): the insertions, deletions, substitutions and swaps between two texts. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1;
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(current, column - 1) + 1,
          at(last, column) + 1,
          at(last, column - 1) + differs,
          row > 1 && column > 1 && swapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
