import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Config } from '../config/config.js';
import { StartFailure } from '../config/start-failure.js';

type PortSetting = 'PORT' | 'MANAGEMENT_PORT';

/** The accept queue. With Node's default of 511, the kernel silently drops connections; clients retry after 1, 3, 7 and 15 seconds. */
export const BACKLOG = 4096;

export function listen(server: Server, setting: PortSetting, { HOST, [setting]: port = 0 }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(setting, port, HOST, error)));
    server.listen(port, HOST, BACKLOG, resolve);
  });
}

export function listenFailure(setting: PortSetting, port: number, host: string, error: unknown): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another process: stop that process, or set ${setting} to another port.`,
    EACCES: `This user may not listen on port ${port}: set ${setting} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine has no interface with the address ${host}: set HOST to one of its addresses.`,
    ENOTFOUND: `The name ${host} has no address: set HOST to an address of this machine.`,
    EAI_AGAIN: `The name ${host} cannot be resolved: set HOST to an address of this machine.`,
  };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? (error as Error) : new StartFailure(reason, { cause: error });
}

export function listeningAddress(server: Server): string {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server is not listening on a port');
  const { address, port } = bound;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
