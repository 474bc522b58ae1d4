export interface DiffPart {
  readonly text: string;
  readonly change: 'kept' | 'added' | 'removed';
}

/** Above this limit comparing all pairs would be too slow, so the whole text is shown as replaced. */
const MAX_PAIRS = 4_000_000;

/** The word-by-word difference of two texts, by their longest common subsequence. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  if (a.length * b.length > MAX_PAIRS) {
    return joined([
      { text: before, change: 'removed' },
      { text: after, change: 'added' },
    ]);
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ text: a[i] ?? '', change: 'kept' });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ text: a[i] ?? '', change: 'removed' });
      i += 1;
    } else {
      parts.push({ text: b[j] ?? '', change: 'added' });
      j += 1;
    }
  }
  return joined(rotated(joined(parts)));
}

/** Merges neighbouring changes: `<three>' '<times >` says the same as `<three times>' '`. */
function rotated(parts: readonly DiffPart[]): DiffPart[] {
  const result = [...parts];
  for (let index = 1; index < result.length - 1; index += 1) {
    const [before, blank, after] = [result[index - 1], result[index], result[index + 1]];
    if (before === undefined || blank === undefined || after === undefined) break;
    const isBlank = blank.change === 'kept' && blank.text.trim() === '';
    if (isBlank && before.change !== 'kept' && before.change === after.change && after.text.endsWith(blank.text)) {
      const moved = blank.text + after.text.slice(0, -blank.text.length);
      result.splice(index, 2, { text: moved, change: after.change }, blank);
    }
  }
  return result;
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const part of parts.filter(({ text }) => text !== '')) {
    const last = result.at(-1);
    if (last?.change === part.change) result[result.length - 1] = { ...last, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}
