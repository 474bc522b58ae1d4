import { StartFailure } from '../config/start-failure.js';

/** Explains why listening on a port failed. `setting` is the variable for the port. */
export function listenFailure(setting: 'PORT' | 'MANAGEMENT_PORT', port: number, host: string, error: unknown): Error {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']?.(setting, port, host);
  return reason === undefined ? (error as Error) : new StartFailure(reason, { cause: error });
}

const REASONS: Readonly<Record<string, (setting: string, port: number, host: string) => string>> = {
  EADDRINUSE: (setting, port, host) =>
    `Port ${port} on ${host} is in use by another process: stop that process, or set ${setting} to another port.`,
  EACCES: (setting, port) => `This user may not listen on port ${port}: set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: (_, __, host) =>
    `This machine has no interface with the address ${host}: set HOST to one of its addresses.`,
  ENOTFOUND: (_, __, host) => `The name ${host} has no address: set HOST to an address of this machine.`,
  EAI_AGAIN: (_, __, host) => `The name ${host} cannot be resolved: set HOST to an address of this machine.`,
};
