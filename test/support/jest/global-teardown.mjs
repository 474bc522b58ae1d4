import { once } from 'node:events';

export default async function globalTeardown() {
  const { servers } = globalThis;
  servers.removeAllListeners('exit');
  servers.disconnect();
  await once(servers, 'exit');
}
