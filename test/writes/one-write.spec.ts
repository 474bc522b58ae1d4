// Not through PgBouncer: it checks functions and answers that no connection affects.
import { sourceFiles } from '../support/repository/source-imports.js';

/** The files of the service that have a text, apart from the one that defines what it calls. */
function filesWith(pattern: RegExp, definition: string): string[] {
  return sourceFiles('src')
    .filter(({ path, text }) => path !== definition && pattern.test(text))
    .map(({ path }) => path);
}

const UNIT_OF_WORK = 'src/writes/unit-of-work.ts';

test('one file commits transactions', () => {
  expect(filesWith(/\btransaction\.commit\b/i, 'src/database/transaction.ts')).toEqual([UNIT_OF_WORK]);
  expect(filesWith(/\bCommitUnanswered\b/, 'src/database/transaction.ts')).toEqual([UNIT_OF_WORK]);
});

test('one file begins transactions, and one sends BEGIN; migrations and exports, which only read, have their own', () => {
  expect(filesWith(/\bdatabase\.begin\(/, 'src/database/database.ts')).toEqual([UNIT_OF_WORK]);
  const begins = filesWith(/['"`]\s*BEGIN\b(?!.*READ ONLY)/, 'src/database/migrate.ts');
  expect(begins).toEqual(['src/database/transaction.ts']);
  expect(filesWith(/['"`]\s*BEGIN\b.*READ ONLY/, '')).toEqual(['src/files/exports.ts']);
});
