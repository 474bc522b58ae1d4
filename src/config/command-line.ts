import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Parses the command line. `--help` prints the usage and exits; an unknown argument exits with code 1. */
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
    return rejectCommandLine(usage, error instanceof Error ? error.message : String(error));
  }
}

export function rejectCommandLine(usage: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usage.trim()}\n`);
  process.exit(1);
}
