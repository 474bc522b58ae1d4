/** Addresses that a browser on this machine can reach as localhost. */
const THIS_MACHINE = /^(0\.0\.0\.0|127(\.\d+){3}|\[::1?\])$/;

/** The message on a terminal after `npm start`. `listening` is the URL of the server. */
export function welcome(listening: string, dataDir: string | undefined, offersExamples: boolean): string {
  const { protocol, hostname, port } = new URL(listening);
  const host = THIS_MACHINE.test(hostname) ? 'localhost' : hostname;
  const address = `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  const lines = [
    ['Console', `${address}/console`],
    ['API', address],
    ['API docs', `${address}/docs`],
    ['Data', dataDir ?? 'in the database at DATABASE_URL'],
    ...(offersExamples ? [['Examples', dataDir === undefined ? 'npm run seed' : 'load them in the console']] : []),
    ['Stop', 'Ctrl-C'],
  ];
  return `\nWaybill is running.\n\n${lines.map(([name = '', value = '']) => `  ${name.padEnd(10)}${value}`).join('\n')}\n\n`;
}
