// The stack of the compose file.
export const UP = ['docker', 'compose', 'up', '--detach', '--wait', '--no-build'];

export function sql({ engine }, statement) {
  return engine.ask(
    'docker',
    'compose',
    'exec',
    '-T',
    'database',
    'psql',
    '--username=waybill',
    '--no-align',
    '--tuples-only',
    `--command=${statement}`,
  );
}
