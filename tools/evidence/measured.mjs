// What a run says about itself while `--record` writes its evidence.
import { appendFileSync } from 'node:fs';

/** Adds figures, versions, the seed or what failed to the evidence of this run. Does nothing in a run that is not recorded. */
export function measured(facts) {
  const file = process.env.EVIDENCE_FILE;
  if (file) appendFileSync(file, `${JSON.stringify(facts)}\n`);
}

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}
