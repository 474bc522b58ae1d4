/** The only word that a program takes, for programs that run before packages are installed. Answers --help and anything else with the usage. */
export function readWord(usage, known) {
  const word = process.argv.slice(2).join(' ');
  if (['', known].includes(word)) return word;
  const isQuestion = ['--help', '-h'].includes(word);
  if (isQuestion) process.stdout.write(usage);
  else process.stderr.write(`Unknown option '${word}'\n\n${usage}`);
  return process.exit(isQuestion ? 0 : 1);
}
