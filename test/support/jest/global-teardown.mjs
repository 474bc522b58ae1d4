import { once } from 'node:events';

export default async function globalTeardown() {
  const { servers } = globalThis;
  if (servers.exitCode !== null) return;
  servers.disconnect();
  await once(servers, 'exit');
}
