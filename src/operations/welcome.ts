/** All interfaces and the loopback ones, which a browser on this machine reaches by one name. */
const THIS_MACHINE = /^(0\.0\.0\.0|127(\.\d+){3}|\[::1?\])$/;

/** Printed on a terminal after `npm start`. `listening` is the URL that the server listens on. */
export function welcome(listening: string, dataDir: string | undefined): string {
  const { protocol, hostname, port } = new URL(listening);
  const host = THIS_MACHINE.test(hostname) ? 'localhost' : hostname;
  const address = `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  const lines = [
    ['API', address],
    ['Try it', `${address}/docs`],
    ['Data', dataDir ?? 'in the database of DATABASE_URL'],
    ['Examples', dataDir === undefined ? 'npm run seed' : 'stop the service, then: npm run seed'],
    ['Stop', 'Ctrl-C'],
  ];
  return `\nWaybill is running.\n\n${lines.map(([name = '', value = '']) => `  ${name.padEnd(10)}${value}`).join('\n')}\n\n`;
}
