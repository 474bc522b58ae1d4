import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Reads the command line of a program, before that does anything else. `--help` prints the usage and ends the process;
 * a word that the program does not know ends it with an exit code of 1.
 */
export function readCommandLine<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage.trim()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseCommandLine(usage, error instanceof Error ? error.message : String(error));
  }
}

export function refuseCommandLine(usage: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usage.trim()}\n`);
  process.exit(1);
}
