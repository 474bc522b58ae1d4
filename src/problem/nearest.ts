/** Names longer than this are not compared: no name of ours comes near it, and the work stays bounded. */
const MAX_COMPARED_LENGTH = 64;

/** The known name that somebody who wrote `name` most likely meant; undefined when none is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const most = mistakesAllowed(candidate);
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance > most || distance >= least) continue;
    [best, least] = [candidate, distance];
  }
  return best;
}

/** " (did you mean limit?)", to stand after what is wrong with a name; empty when no known name is close. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Two in a long name, one in a short one: nearly every pair of short names is two mistakes apart. */
function mistakesAllowed(name: string): number {
  return name.length >= 6 ? 2 : 1;
}

/**
 * How many letters have to be inserted, removed, replaced, or swapped with their neighbour to make one text of the other
 * (the Damerau-Levenshtein distance, restricted to one change per letter).
 */
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
