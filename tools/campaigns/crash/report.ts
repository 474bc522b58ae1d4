import type { Findings } from './aftermath.js';
import { measured } from '../../evidence/measured.mjs';
import type { Ledger } from '../checker/ledger.js';

const FAULTS_SHOWN = 5;

/** Prints the checks and their findings; false if there were any findings. */
export function report(findings: Findings, ledger: Ledger, through: string): boolean {
  for (const [check, faults] of findings) {
    say(`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${check}`);
    for (const fault of faults.slice(0, FAULTS_SHOWN)) say(`        ${fault.slice(0, 500)}`);
    if (faults.length > FAULTS_SHOWN) say(`        and ${faults.length - FAULTS_SHOWN} more`);
  }
  const passed = findings.every(([, faults]) => faults.length === 0);
  const counts = new Map<string, number>();
  for (const { deed } of ledger.accepted) counts.set(deed, (counts.get(deed) ?? 0) + 1);
  const { operations, writes, accepted, lostAnswers, replayed } = ledger;
  measured({
    figures: {
      ...{ operations, writes: writes.length, accepted: accepted.length, lostAnswers, replayed },
      ...{ checks: findings.length, deeds: Object.fromEntries(counts), outcomes: Object.fromEntries(ledger.outcomes) },
    },
    failed: findings.flatMap(([check, faults]) => (faults.length === 0 ? [] : [`${check}: ${faults[0]}`])),
  });
  say(`Accepted: ${[...counts].map(([deed, count]) => `${count} ${deed}`).join(', ')}.`);
  say(passed ? `Every write had its effect exactly once through ${through}.` : 'Something was lost or done twice.');
  return passed;
}

/** What spoils the run on purpose; undefined when it is not to be spoiled. */
export function sabotageNamed<Sabotage>(
  sabotages: Readonly<Record<string, Sabotage>>,
  name: string | undefined,
): Sabotage | undefined {
  if (name === undefined) return undefined;
  if (!Object.hasOwn(sabotages, name)) throw new Error(`--sabotage takes one of ${Object.keys(sabotages).join(', ')}`);
  return sabotages[name];
}

/** The value of an option. */
export function wholeNumber(option: string, written: string, least = 1): number {
  const value = Number(written);
  if (!Number.isSafeInteger(value) || value < least) throw new Error(`--${option} takes a whole number from ${least}`);
  return value;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a test and exits with its outcome. Exiting ends the processes that it started. */
export function exitWith(test: () => Promise<boolean>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  test().then(
    (passed) => process.exit(passed ? 0 : 1),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
}
